package io.eyewall.tail.recording;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * Tells which worker runs a task and how its host's clock stands to this one's. Safe for use by any thread.
 */
final class WorkerPeers implements PeerClocks {

    private static final PeerClock UNKNOWN = new PeerClock("unknown", 0, PeerClock.UNKNOWN_ERROR_NS);

    private final Map<NodeInfo, PeerClock> clocks = new ConcurrentHashMap<>();
    private volatile WorkerTopologyContext context;

    /** Says where the assignments of the topology are to be looked up. */
    void know(WorkerTopologyContext workerContext) {
        context = workerContext;
    }

    @Override
    public PeerClock ofTask(int taskId) {
        WorkerTopologyContext known = context;
        NodeInfo node = known == null ? null : known.getTaskToNodePort().get().get(taskId);
        return node == null ? UNKNOWN : clocks.computeIfAbsent(node, this::clock);
    }

    private PeerClock clock(NodeInfo node) {
        String host = context.getNodeToHost().get().getOrDefault(node.get_node(), node.get_node());
        return new PeerClock(host + ':' + node.get_port_iterator().next(), 0, 0);
    }
}
