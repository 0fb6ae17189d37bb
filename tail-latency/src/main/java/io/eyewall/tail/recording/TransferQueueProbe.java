package io.eyewall.tail.recording;

import io.eyewall.client.seam.QueueProbe;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.messaging.TaskMessage;

/**
 * Notes when a recorded message enters the transfer queue, on the executors' threads, and records how long it was there, on the transfer
 * thread, to which all fields but the clock belong.
 */
final class TransferQueueProbe implements QueueProbe {

    private final NanoClock clock;
    private final HopRecorders recorders;
    private final PeerClocks peers;
    private final Map<String, HopRecorder> waitByPeer = new HashMap<>();

    TransferQueueProbe(NanoClock clock, HopRecorders recorders, PeerClocks peers) {
        this.clock = clock;
        this.recorders = recorders;
        this.peers = peers;
    }

    @Override
    public void inserting(Object element) {
        if (element instanceof TaskMessage message && StampTrailer.ends(message.message())) {
            StampTrailer.setEnqueuedNs(message.message(), clock.nanoTime());
        }
    }

    @Override
    public void taken(Object element) {
        if (element instanceof TaskMessage message && StampTrailer.ends(message.message())) {
            long nowNs = clock.nanoTime();
            waitByPeer.computeIfAbsent(peers.ofTask(message.task()).peer(), this::recorder)
                .record(nowNs - StampTrailer.enqueuedNs(message.message()));
            StampTrailer.setSentNs(message.message(), nowNs);
        }
    }

    private HopRecorder recorder(String peer) {
        return recorders.recorder(new HopKey(Point.TRANSFER_QUEUE_WAIT, HopKey.WORKER, HopKey.NO_TASK, peer));
    }
}
