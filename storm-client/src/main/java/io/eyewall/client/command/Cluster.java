package io.eyewall.client.command;

import java.util.List;

/** The cluster that a command talks to, as an error message describes it. */
interface Cluster {

    /** The configuration file in effect, as a path or in words when there is none. */
    String configurationFile();

    /** The classes whose constants are the configuration keys. */
    List<Class<?>> configurationClasses();

    /** Where the command looks for Nimbus: hosts and port. */
    String nimbus();

    /** Where the command looks for DRPC servers: hosts and port. */
    String drpc();

    /** Where the command looks for ZooKeeper: hosts and port. */
    String zooKeeper();
}
