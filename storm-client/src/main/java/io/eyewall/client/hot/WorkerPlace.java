package io.eyewall.client.hot;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;

/**
 * The place of a worker of the topology: a supervisor and one of its ports. Its {@linkplain #name() name} is the one that Storm gives to
 * nodes in ZooKeeper.
 */
record WorkerPlace(String node, int port) {

    static WorkerPlace of(NodeInfo info) {
        return new WorkerPlace(info.get_node(), info.get_port_iterator().next().intValue());
    }

    /** The place with that {@link #name()}. */
    static WorkerPlace parse(String name) {
        int dash = name.lastIndexOf('-');
        return new WorkerPlace(name.substring(0, dash), Integer.parseInt(name.substring(dash + 1)));
    }

    String name() {
        return node + "-" + port;
    }

    NodeInfo nodeInfo() {
        return new NodeInfo(node, Set.of((long) port));
    }

    /** The executors that an assignment has at this place. */
    Set<List<Long>> executors(Assignment assignment) {
        return assignment.get_executor_node_port().entrySet().stream().filter(entry -> of(entry.getValue()).equals(this))
            .map(Map.Entry::getKey).collect(Collectors.toSet());
    }
}
