package io.eyewall.client.command;

import java.util.List;

/** What an error message says of the cluster that a command talks to. */
interface Cluster {

    /** The configuration file in effect, as a path or in words when there is none. */
    String configurationFile();

    /** The classes whose constants are the configuration keys. */
    List<Class<?>> configurationClasses();

    /** Where Nimbus is looked for: hosts and port. */
    String nimbus();

    /** Where DRPC servers are looked for: hosts and port. */
    String drpc();

    /** Where ZooKeeper is looked for: hosts and port. */
    String zooKeeper();
}
