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

/** Turns a topology as Nimbus describes it into the graph that planners work on. */
final class TopologyGraphs {

    private TopologyGraphs() {
    }

    /**
     * The graph of a topology. A component's tasks are those of its executors, which are consecutive in Storm. An all grouping counts a
     * tuple for every task of the subscriber; whatever a direct or custom grouping chooses counts as one.
     *
     * @throws IllegalArgumentException if its parts do not agree with each other
     */
    static TopologyGraph of(TopologyDetails topology) {
        Map<String, Component> components = new TreeMap<>();
        for (Map.Entry<ExecutorDetails, String> entry : topology.getExecutorToComponent().entrySet()) {
            Component one = new Component(entry.getValue(), entry.getKey().getStartTask(), entry.getKey().getEndTask());
            components.merge(one.id(), one, TopologyGraphs::hull);
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

    private static Component hull(Component one, Component other) {
        return new Component(one.id(), Math.min(one.firstTask(), other.firstTask()), Math.max(one.lastTask(), other.lastTask()));
    }
}
