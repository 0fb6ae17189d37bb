package io.eyewall.tail.recording;

import java.util.Map;

/**
 * Knows which worker runs a task, and the clock of that worker's host. Any thread may look up a task, once per recorded tuple: that takes
 * no lock and allocates nothing. {@link PeerWatch} renews the entries.
 */
final class WorkerPeers implements WorkerClocks {

    private static final WorkerClock UNKNOWN = WorkerClock.unknown("unknown");

    /** The worker of each task, by task id, null where there is none; written by the watching thread. */
    private volatile WorkerPeer[] byTask = {};

    @Override
    public WorkerClock ofTask(int taskId) {
        WorkerPeer[] known = byTask;
        WorkerPeer peer = taskId >= 0 && taskId < known.length ? known[taskId] : null;
        return peer == null ? UNKNOWN : peer.use();
    }

    /** Sets which worker runs each task. */
    void assign(Map<Integer, WorkerPeer> peers) {
        WorkerPeer[] assigned = new WorkerPeer[peers.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1) + 1];
        peers.forEach((task, peer) -> assigned[task] = peer);
        byTask = assigned;
    }
}
