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
    private final Map<String, Way> wayByPeer = new HashMap<>();

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
            Way way = wayTo(peers.ofTask(message.task()).peer());
            way.batch.record(enqueuedNs - StampTrailer.sentNs(bytes));
            way.queue.record(nowNs - enqueuedNs);
            StampTrailer.setSentNs(bytes, nowNs);
        }
    }

    private Way wayTo(String peer) {
        Way way = wayByPeer.get(peer);
        if (way == null) {
            way = new Way(recorders.recorder(HopKey.ofWorker(MeasuringPoint.EMIT_TO_ENQUEUE, peer)),
                recorders.recorder(HopKey.ofWorker(MeasuringPoint.TRANSFER_QUEUE_WAIT, peer)));
            wayByPeer.put(peer, way);
        }
        return way;
    }

    /** The recorders of messages to one other worker: their batch, then the queue. */
    private record Way(HopRecorder batch, HopRecorder queue) {
    }
}
