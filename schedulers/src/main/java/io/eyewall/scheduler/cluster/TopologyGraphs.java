package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.utils.Utils;

/** Makes the graph of a topology, which planners work on, from Nimbus's description of it. */
final class TopologyGraphs {

    private TopologyGraphs() {
    }

    /**
     * The graph of a topology. The tasks of a component are those of its executors, which are consecutive in Storm. With an all grouping,
     * each tuple counts once for every task of the subscriber. With a direct or custom grouping it counts once.
     *
     * @throws IllegalArgumentException if the description is inconsistent
     */
    static TopologyGraph of(TopologyDetails topology) {
        Map<String, Component> components = new TreeMap<>();
        for (Map.Entry<ExecutorDetails, String> entry : topology.getExecutorToComponent().entrySet()) {
            Component part = new Component(entry.getValue(), entry.getKey().getStartTask(), entry.getKey().getEndTask());
            components.merge(part.id(), part, TopologyGraphs::union);
        }
        List<Link> links = new ArrayList<>();
        for (Map.Entry<String, Bolt> bolt : topology.getTopology().get_bolts().entrySet()) {
            if (Utils.isSystemId(bolt.getKey())) {
                continue;
            }
            for (Map.Entry<GlobalStreamId, Grouping> input : bolt.getValue().get_common().get_inputs().entrySet()) {
                String from = input.getKey().get_componentId();
                if (!Utils.isSystemId(from)) {
                    int copies = input.getValue().is_set_all() ? components.get(bolt.getKey()).taskCount() : 1;
                    links.add(new Link(from, input.getKey().get_streamId(), bolt.getKey(), copies));
                }
            }
        }
        return new TopologyGraph(topology.getId(), List.copyOf(components.values()), links);
    }

    private static Component union(Component one, Component other) {
        return new Component(one.id(), Math.min(one.firstTask(), other.firstTask()), Math.max(one.lastTask(), other.lastTask()));
    }
}
