package io.eyewall.tail.recording;

import java.util.Map;

/**
 * Tells which worker runs a task and how its host's clock stands to this one's. Any thread may ask, once per recorded tuple: that takes
 * no lock and allocates nothing. What the answers are made of is renewed by {@link PeerWatch}.
 */
final class WorkerPeers implements PeerClocks {

    private static final PeerClock UNKNOWN = PeerClock.unknown("unknown");

    /** The worker of each task, by task id, null where there is none; written by the watching thread. */
    private volatile WorkerPeer[] byTask = {};

    @Override
    public PeerClock ofTask(int taskId) {
        WorkerPeer[] known = byTask;
        WorkerPeer peer = taskId >= 0 && taskId < known.length ? known[taskId] : null;
        return peer == null ? UNKNOWN : peer.use();
    }

    /** Says which worker runs each task. */
    void assign(Map<Integer, WorkerPeer> peers) {
        WorkerPeer[] assigned = new WorkerPeer[peers.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1) + 1];
        peers.forEach((task, peer) -> assigned[task] = peer);
        byTask = assigned;
    }
}
