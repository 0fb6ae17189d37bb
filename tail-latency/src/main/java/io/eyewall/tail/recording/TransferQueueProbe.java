package io.eyewall.tail.recording;

import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.time.NanoClock;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.messaging.TaskMessage;

/**
 * Notes when a recorded message enters the transfer queue, on the executors' threads, and records the time that it was there, on the
 * transfer thread. All fields except the clock are for the transfer thread.
 */
final class TransferQueueProbe implements QueueProbe {

    private final NanoClock clock;
    private final HopRecorders recorders;
    private final WorkerClocks peers;
    private final Map<String, PeerRecorders> recordersByPeer = new HashMap<>();

    TransferQueueProbe(NanoClock clock, HopRecorders recorders, WorkerClocks peers) {
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
            byte[] bytes = message.message();
            long nowNs = clock.nanoTime();
            long enqueuedNs = StampTrailer.enqueuedNs(bytes);
            PeerRecorders ofPeer = recordersOf(peers.ofTask(message.task()).peer());
            ofPeer.batch.record(enqueuedNs - StampTrailer.sentNs(bytes));
            ofPeer.queue.record(nowNs - enqueuedNs);
            StampTrailer.setSentNs(bytes, nowNs);
        }
    }

    private PeerRecorders recordersOf(String peer) {
        PeerRecorders ofPeer = recordersByPeer.get(peer);
        if (ofPeer == null) {
            ofPeer = new PeerRecorders(recorders.recorder(HopKey.ofWorker(MeasuringPoint.EMIT_TO_ENQUEUE, peer)),
                recorders.recorder(HopKey.ofWorker(MeasuringPoint.TRANSFER_QUEUE_WAIT, peer)));
            recordersByPeer.put(peer, ofPeer);
        }
        return ofPeer;
    }

    /** The recorders of messages to one other worker: their batch, then the queue. */
    private record PeerRecorders(HopRecorder batch, HopRecorder queue) {
    }
}
