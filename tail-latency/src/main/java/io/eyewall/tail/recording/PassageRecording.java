package io.eyewall.tail.recording;

import io.eyewall.client.stream.manager.PassageProbe;
import io.eyewall.client.time.NanoClock;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/**
 * Latency recording in a stream manager. A recorded tuple's stamp says when the previous process sent it. The stream manager records the
 * time since then, and writes its own into the stamp, so that the next process records its part of the way. It also records how long the
 * tuple stays. Tuples that are not recorded cost a look at their last byte. For the loop's thread, except that a tuple may leave on any.
 */
public final class PassageRecording implements PassageProbe {

    private static final int MAX_VARINT_BYTES = 5;
    private static final int VARINT_BITS = 7;

    private final NanoClock clock;
    private final WorkerClocks peers;
    private final IntFunction<String> components;
    private final HopRecorders recorders;
    private final Map<String, ComponentRecorders> recordersByComponent = new HashMap<>();
    /** By component. A recorder is for one thread at a time, so each is locked. */
    private final Map<String, HopRecorder> stays = new ConcurrentHashMap<>();

    /** The recorders of the tuples of one component. */
    private record ComponentRecorders(HopRecorder fromInstances, HopRecorder fromContainers) {
    }

    /** {@code components} returns the component of a task, null if there is no such task. */
    PassageRecording(LatencyRecordingConfiguration configuration, NanoClock clock, WorkerClocks peers, IntFunction<String> components) {
        this.clock = clock;
        this.peers = peers;
        this.components = components;
        recorders = new HopRecorders(configuration);
    }

    /** Records in the stream manager of the slot with this port. The clocks of other hosts are followed until the process ends. */
    public static PassageRecording begin(LatencyRecordingConfiguration configuration, IntFunction<String> components,
            IStateStorage storage, String topologyId, int port) {
        WorkerPeers peers = new WorkerPeers();
        PeerWatch watch = new PeerWatch(peers, PeerWatch::isThisHost, NanoClock.SYSTEM, new SecureRandom()::nextLong);
        watch.start(new PublishedAssignment(storage, topologyId), topologyId, port);
        return new PassageRecording(configuration, NanoClock.SYSTEM, peers, components);
    }

    /** The recorders of this stream manager. */
    public HopRecorders recorders() {
        return recorders;
    }

    @Override
    public Passage passes(ByteBuf message, int tupleAt, boolean fromOtherContainer) {
        int end = message.writerIndex();
        if (!StampTrailer.ends(message, tupleAt, end)) {
            return Passage.UNWATCHED;
        }
        int task = sourceTask(message, tupleAt, end);
        String component = task < 0 ? null : components.apply(task);
        if (component == null) {
            return Passage.UNWATCHED; // The receiver will say that it cannot read it.
        }
        long nowNs = clock.nanoTime();
        WorkerClock sender = peers.ofTask(task);
        ComponentRecorders ofComponent = recordersOf(component);
        (fromOtherContainer ? ofComponent.fromContainers : ofComponent.fromInstances)
            .record(nowNs - (StampTrailer.sentNs(message, end) - sender.offsetNs()), sender.errorBoundNs());
        if (sender.errorBoundNs() < WorkerClock.UNKNOWN_ERROR_NS) {
            StampTrailer.setSentNs(message, end, nowNs + sender.offsetNs());
        }
        return () -> recordStay(component, clock.nanoTime() - nowNs);
    }

    private void recordStay(String component, long lastedNs) {
        HopRecorder recorder = stays.computeIfAbsent(component,
            added -> recorders.recorder(HopKey.ofWorker(MeasuringPoint.IN_STREAM_MANAGER, added)));
        synchronized (recorder) {
            recorder.record(lastedNs);
        }
    }

    private ComponentRecorders recordersOf(String component) {
        ComponentRecorders ofComponent = recordersByComponent.get(component);
        if (ofComponent == null) {
            ofComponent = new ComponentRecorders(recorders.recorder(HopKey.ofWorker(MeasuringPoint.TO_STREAM_MANAGER, component)),
                recorders.recorder(HopKey.ofWorker(MeasuringPoint.BETWEEN_STREAM_MANAGERS, component)));
            recordersByComponent.put(component, ofComponent);
        }
        return ofComponent;
    }

    /** The number with which Storm's serializer begins, in Kryo's form of positive numbers; -1 if it is none. */
    private static int sourceTask(ByteBuf message, int at, int end) {
        int task = 0;
        for (int i = 0; i < MAX_VARINT_BYTES && at + i < end; i++) {
            byte next = message.getByte(at + i);
            task |= (next & 0x7F) << (i * VARINT_BITS);
            if (next >= 0) {
                return task;
            }
        }
        return -1;
    }
}
