package io.eyewall.client.deadline;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.CheckpointSpout;

/**
 * The spouts and bolts of a topology, by index, and which of them send to which. Immutable. The indices, and which edges of a circle count,
 * follow from the names in the topology alone, and are the same in each worker.
 */
final class OperatorGraph {

    private final StormTopology topology;
    private final Map<String, Integer> indices = new HashMap<>();
    private final List<int[]> successors;
    private final List<int[]> behind;
    private final Set<String> checkpointed;

    /** The graph of a topology with these spouts. */
    OperatorGraph(StormTopology topology, Collection<String> spouts) {
        this.topology = topology;
        Map<String, Set<String>> receivers = receivers(topology, spouts);
        receivers.keySet().forEach(component -> indices.put(component, indices.size()));
        successors = indices(receivers);
        openCircles(receivers);
        behind = indices(receivers);
        checkpointed = bolts(topology).entrySet().stream().filter(bolt -> inputs(bolt.getValue()).stream()
            .anyMatch(input -> CheckpointSpout.CHECKPOINT_STREAM_ID.equals(input.get_streamId())))
            .map(Map.Entry::getKey).collect(Collectors.toUnmodifiableSet());
    }

    /** The number of operators; their indices are smaller. */
    int size() {
        return indices.size();
    }

    /** The index of a component, or -1 for those of Storm's. */
    int index(String component) {
        return indices.getOrDefault(component, -1);
    }

    /** The direct successors of an operator, without those that would close a circle. */
    int[] behind(int operator) {
        return behind.get(operator);
    }

    /** Whether a bolt gets checkpoints, which no tuple may overtake. */
    boolean isCheckpointed(String component) {
        return checkpointed.contains(component);
    }

    /** The bolts of the topology, by name. */
    Map<String, Bolt> bolts() {
        return bolts(topology);
    }

    /** The operators that what a spout emits to a stream can lead to, the spout itself included. */
    Set<Integer> reached(String spout, String stream) {
        Set<Integer> reached = new HashSet<>(Set.of(index(spout)));
        Deque<Integer> open = new ArrayDeque<>();
        bolts().forEach((bolt, specification) -> {
            if (inputs(specification).contains(new GlobalStreamId(spout, stream)) && reached.add(index(bolt))) {
                open.push(index(bolt));
            }
        });
        while (!open.isEmpty()) {
            for (int successor : successors.get(open.pop())) {
                if (reached.add(successor)) {
                    open.push(successor);
                }
            }
        }
        return reached;
    }

    private List<int[]> indices(Map<String, Set<String>> receivers) {
        return receivers.values().stream().map(components -> components.stream().mapToInt(indices::get).toArray()).toList();
    }

    private static Map<String, Bolt> bolts(StormTopology topology) {
        return topology.is_set_bolts() ? topology.get_bolts() : Map.of();
    }

    private static Set<GlobalStreamId> inputs(Bolt bolt) {
        return bolt.get_common().get_inputs().keySet();
    }

    /** The operators that each operator sends to, first those of spouts. In the same order in each worker. */
    private static Map<String, Set<String>> receivers(StormTopology topology, Collection<String> spouts) {
        Map<String, Set<String>> receivers = new LinkedHashMap<>();
        new TreeSet<>(spouts).forEach(spout -> receivers.put(spout, new TreeSet<>()));
        Map<String, Bolt> bolts = bolts(topology);
        new TreeSet<>(bolts.keySet()).forEach(bolt -> receivers.put(bolt, new TreeSet<>()));
        bolts.forEach((bolt, specification) -> inputs(specification).stream().map(GlobalStreamId::get_componentId)
            .filter(receivers::containsKey).forEach(sender -> receivers.get(sender).add(bolt)));
        return receivers;
    }

    /** Removes the edges that lead back to an operator on a path from a spout. Each operator that a spout reaches stays reached. */
    private static void openCircles(Map<String, Set<String>> receivers) {
        Set<String> done = new HashSet<>();
        receivers.keySet().forEach(component -> openCircles(component, receivers, new HashSet<>(), done));
    }

    private static void openCircles(String component, Map<String, Set<String>> receivers, Set<String> path, Set<String> done) {
        if (done.contains(component)) {
            return;
        }
        path.add(component);
        receivers.get(component).removeAll(path);
        List.copyOf(receivers.get(component)).forEach(receiver -> openCircles(receiver, receivers, path, done));
        path.remove(component);
        done.add(component);
    }
}
