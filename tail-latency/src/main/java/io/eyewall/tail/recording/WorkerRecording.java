package io.eyewall.tail.recording;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.seam.TupleWire;
import org.apache.storm.executor.Executor;

/**
 * Latency recording in one worker: hands out what records on the worker's threads. Safe for use by any thread.
 */
final class WorkerRecording {

    private final LatencyRecordingConfiguration configuration;
    private final NanoClock clock;
    private final PeerClocks peers;
    private final HopRecorders recorders;

    WorkerRecording(LatencyRecordingConfiguration configuration, NanoClock clock, PeerClocks peers) {
        this.configuration = configuration;
        this.clock = clock;
        this.peers = peers;
        recorders = new HopRecorders(configuration);
    }

    ExecutorProbe executorProbe(Executor executor) {
        return new RecordingProbe(configuration, clock, recorders, executor.getWorkerTopologyContext(), executor.getComponentId());
    }

    QueueProbe receiveQueueProbe() {
        return new ReceiveQueueProbe(clock);
    }

    QueueProbe transferQueueProbe() {
        return new TransferQueueProbe(clock, recorders, peers);
    }

    TupleWire wire() {
        return new StampWire(clock, recorders, peers);
    }

    HopRecorders recorders() {
        return recorders;
    }
}
