package io.eyewall.integration.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The description of a {@link ProcessCluster}. Immutable.
 *
 * @param home the installation that every process runs from
 * @param directory of all state and logs; made if missing, never deleted
 * @param supervisors number of supervisors, 1 or more
 * @param slotsPerSupervisor number of workers that each supervisor can run
 * @param zooKeeper a ZooKeeper server that runs already, as host:port; empty if the cluster starts its own
 * @param hosts the hosts of the supervisors, one each; empty if all share this machine
 * @param standby whether a second Nimbus on the first supervisor's host is ready to take the lead; then the supervisors have hosts
 * @param javaOptions options of the Java processes that the cluster starts itself, ZooKeeper and clients included; workers get theirs from
 *     the settings
 * @param environment variables of the daemons, and so of their workers; {@code %s} in a value stands for the daemon's name
 * @param settings Storm's configuration keys and values, for all daemons, workers and submissions; the cluster chooses ports, addresses and
 *     directories itself
 */
public record ClusterSpecification(
    StormHome home, Path directory, int supervisors, int slotsPerSupervisor, Optional<String> zooKeeper, Optional<Hosts> hosts,
    boolean standby, List<String> javaOptions, Map<String, String> environment, Map<String, Object> settings) {

    /** Copies what is mutable. */
    public ClusterSpecification {
        directory = directory.toAbsolutePath().normalize();
        javaOptions = List.copyOf(javaOptions);
        environment = Map.copyOf(environment);
        settings = Map.copyOf(settings);
        if (supervisors < 1 || slotsPerSupervisor < 1) {
            throw new IllegalArgumentException("A cluster has at least one supervisor and one slot, not " + supervisors + " and "
                + slotsPerSupervisor + ".");
        }
        if (standby && hosts.isEmpty()) {
            throw new IllegalArgumentException("A second Nimbus needs a host of its own: specify separate hosts first.");
        }
    }

    /** One supervisor with four slots, nothing set. */
    public static ClusterSpecification of(StormHome home, Path directory) {
        return new ClusterSpecification(home, directory, 1, 4, Optional.empty(), Optional.empty(), false, List.of(), Map.of(), Map.of());
    }

    /** The same with another number of supervisors and of slots on each. */
    public ClusterSpecification withSupervisors(int number, int slotsEach) {
        return new ClusterSpecification(home, directory, number, slotsEach, zooKeeper, hosts, standby, javaOptions, environment, settings);
    }

    /** The same over a ZooKeeper server that runs already, at {@code address}, host:port. */
    public ClusterSpecification withZooKeeper(String address) {
        return new ClusterSpecification(home, directory, supervisors, slotsPerSupervisor, Optional.of(address), hosts, standby, javaOptions,
            environment, settings);
    }

    /** The same with each supervisor on a host of its own. */
    public ClusterSpecification withSeparateHosts(Hosts separate) {
        return new ClusterSpecification(home, directory, supervisors, slotsPerSupervisor, zooKeeper, Optional.of(separate), standby,
            javaOptions, environment, settings);
    }

    /** The same with a second Nimbus, on the first supervisor's host. */
    public ClusterSpecification withStandbyNimbus() {
        return new ClusterSpecification(home, directory, supervisors, slotsPerSupervisor, zooKeeper, hosts, true, javaOptions, environment,
            settings);
    }

    /** The same with these settings added, replacing older ones of the same key. */
    public ClusterSpecification withSettings(Map<String, ?> more) {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.putAll(more);
        return new ClusterSpecification(home, directory, supervisors, slotsPerSupervisor, zooKeeper, hosts, standby, javaOptions,
            environment, all);
    }

    /** The same with these options for each Java process that the cluster starts itself. */
    public ClusterSpecification withJavaOptions(List<String> options) {
        return new ClusterSpecification(home, directory, supervisors, slotsPerSupervisor, zooKeeper, hosts, standby, options, environment,
            settings);
    }

    /** The same with these variables in the environment of the daemons; {@code %s} in a value stands for the daemon's name. */
    public ClusterSpecification withEnvironment(Map<String, String> variables) {
        return new ClusterSpecification(home, directory, supervisors, slotsPerSupervisor, zooKeeper, hosts, standby, javaOptions, variables,
            settings);
    }
}
