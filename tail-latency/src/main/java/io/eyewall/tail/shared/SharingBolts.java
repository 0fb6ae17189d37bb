package io.eyewall.tail.shared;

import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.settings.OwnConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;

/**
 * Decides which bolts of a topology share a queue among their executors: those whose own configuration or whose topology asks for that, and
 * that let any of their tasks execute a tuple.
 */
final class SharingBolts {

    private SharingBolts() {
    }

    /**
     * The bolts whose executors share a queue, in order.
     *
     * @param topologyConf the topology's configuration
     * @param topology the topology as the user made it, without Storm's own bolts
     */
    static List<String> sharing(Map<String, Object> topologyConf, StormTopology topology) {
        return topology.get_bolts().keySet().stream().filter(bolt -> shares(topologyConf, topology, bolt)).sorted().toList();
    }

    /**
     * Whether the executors of a bolt share a queue.
     *
     * @param topologyConf the topology's configuration
     * @param topology the topology as the user made it, without Storm's own bolts
     * @param component the bolt; the result is false for other components
     */
    static boolean shares(Map<String, Object> topologyConf, StormTopology topology, String component) {
        Bolt bolt = topology.get_bolts().get(component);
        return bolt != null && !Utils.isSystemId(component) && wants(topologyConf, bolt) && hindrance(bolt).isEmpty();
    }

    /** Whether the executors of a bolt may be switched to sharing while they run: they can share, and the bolt does not set the key. */
    static boolean could(StormTopology topology, String component) {
        Bolt bolt = topology.get_bolts().get(component);
        return !Utils.isSystemId(component) && hindrance(bolt).isEmpty()
            && !OwnConfiguration.of(bolt.get_common()).containsKey(SharingConfiguration.EXECUTOR_QUEUE);
    }

    /**
     * Checks the bolts that are to share.
     *
     * @param topologyConf the topology's configuration
     * @throws IllegalArgumentException names the bolt, the input or the key that prevents sharing, and the remedy
     */
    static void check(Map<String, Object> topologyConf, StormTopology topology) {
        topology.get_bolts().forEach((component, bolt) -> {
            if (wants(Map.of(), bolt)) {
                hindrance(bolt).ifPresent(input -> {
                    throw new IllegalArgumentException(SharingConfiguration.EXECUTOR_QUEUE + " is 'shared' for the bolt '" + component
                        + "', but its input '" + input.get_streamId() + "' of '" + input.get_componentId()
                        + "' must be a shuffle, local-or-shuffle or none grouping: leave the bolt at 'own'.");
                });
            }
        });
        List<String> sharing = sharing(topologyConf, topology);
        if (!sharing.isEmpty() && !DeadlineConfiguration.ofSpouts(topology, topologyConf).isEmpty()) {
            throw new IllegalArgumentException(SharingConfiguration.EXECUTOR_QUEUE + " is 'shared' for the bolt '" + sharing.get(0)
                + "', but a spout has a target (" + DeadlineConfiguration.TARGET + ") or a share (" + DeadlineConfiguration.POLICY
                + "), and urgent tuples go first only in queues of executors: leave the bolt at 'own', or remove that key.");
        }
    }

    private static boolean wants(Map<String, Object> topologyConf, Bolt bolt) {
        return new SharingConfiguration(OwnConfiguration.over(topologyConf, bolt.get_common())).isShared();
    }

    /** An input that needs a certain task, if there is one. */
    private static Optional<GlobalStreamId> hindrance(Bolt bolt) {
        return bolt.get_common().get_inputs().entrySet().stream()
            .filter(input -> !isAnyTasks(input.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .findFirst();
    }

    private static boolean isAnyTasks(Grouping grouping) {
        return grouping.is_set_shuffle() || grouping.is_set_local_or_shuffle() || grouping.is_set_none();
    }
}
