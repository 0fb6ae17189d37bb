package io.eyewall.tail.recording;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.time.NanoClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.SplittableRandom;
import org.agrona.collections.Long2LongHashMap;
import org.apache.storm.daemon.Acker;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;

/**
 * Stamps the tuples that one executor emits, and records those that it receives.
 *
 * <p>Fields are used by the executor's thread, with one exception: bolts, those in other languages among them, may emit and ack from
 * threads of their own. Such a thread only uses {@link #parent} and what it finds there. So threads that emit at the same time can lose
 * each other's samples, but never mix them up.
 *
 * <p>Methods that are called for every tuple are short, since they are inlined into upstream's methods, whose space for that is limited.
 * They write almost nothing for a tuple that is not recorded, since probes of several threads may be adjacent in memory.
 */
final class RecordingProbe implements ExecutorProbe {

    private static final long UNKNOWN = Long.MIN_VALUE;

    private final NanoClock clock;
    private final int every;
    private final SplittableRandom random;
    private final Map<String, Integer> dueIndexByStream;
    private final ByStream<InputHops> inputs;
    private final ByStream<HopRecorder> completes;
    private final String component;

    /** The emit times of messages whose trees are recorded and not yet complete, by root id. A subset of upstream's own pending map. */
    private final Long2LongHashMap rootNsById = new Long2LongHashMap(UNKNOWN);
    private int untilSampled;

    /** Whether the spout is emitting a recorded message, when it began to, and when the message was due. */
    private boolean rootSampled;
    private long rootNs;
    private long dueNs;

    /** The recorded tuple to which the bolt is emitting an anchored one, or null. Written by the thread that emits. */
    private LatencyStamp parent;

    /** The stamp of the tuple that is being executed, or null; when its execution began, and on which thread. */
    private LatencyStamp executing;
    private long executingSinceNs;
    private Thread executor;

    /**
     * Makes the probe of one executor.
     *
     * @param sampling which of a spout's messages are recorded
     * @param random chooses them, so that a rhythm in the messages has no effect
     * @param clock the clock of this host's workers
     * @param recorders the recorders of this worker
     * @param component the executor's component
     * @param dueIndexByStream the index of the field with the due time, for each stream of a spout that has it
     */
    RecordingProbe(Sampling sampling, SplittableRandom random, NanoClock clock, HopRecorders recorders, String component,
            Map<String, Integer> dueIndexByStream) {
        this.clock = clock;
        this.every = sampling.every();
        this.random = random;
        this.component = component;
        this.dueIndexByStream = new HashMap<>(dueIndexByStream);
        inputs = new ByStream<>((taskId, source, stream) ->
            new InputHops(recorders, component, taskId, HopKey.source(source, stream)));
        completes = new ByStream<>((taskId, source, stream) ->
            recorders.recorder(new HopKey(MeasuringPoint.COMPLETE, source, taskId, HopKey.source(source, stream))));
        untilSampled = nextSampled();
    }

    @Override
    public void rootEmitting(String streamId, List<Object> values) {
        rootSampled = --untilSampled == 0;
        if (rootSampled) {
            recordRoot(streamId, values);
        }
    }

    @Override
    public void anchoring(Collection<Tuple> anchors) {
        LatencyStamp stamp = stampOf(anchors);
        if (stamp != null) {
            stamp.emittingSinceNs = clock.nanoTime();
            stamp.emitter = Thread.currentThread();
        }
        if (stamp != parent) {
            parent = stamp;
        }
    }

    @Override
    public void emitted() {
        if (rootSampled || parent != null) {
            rootSampled = false;
            parent = null;
        }
    }

    @Override
    public void emitting(AddressedTuple addressed, boolean again) {
        LatencyStamp anchor = parent;
        if (again) {
            offerAgain(addressed);
        } else if (rootSampled || anchor != null) {
            stamp(addressed, anchor);
        }
    }

    @Override
    public void executing(int taskId, TupleImpl tuple) {
        LatencyStamp stamp = LatencyStamp.of(tuple);
        if (stamp != null) {
            take(taskId, tuple, stamp);
        } else if (executing != null) {
            executing = null;
        }
    }

    @Override
    public void executed(int taskId, TupleImpl tuple) {
        if (executing != null) {
            recordExecuted();
        }
    }

    @Override
    public void acking(Tuple tuple) {
        LatencyStamp stamp = LatencyStamp.of(tuple);
        if (stamp != null && stamp.hops != null) {
            stamp.hops.acked(stamp, clock.nanoTime());
        }
    }

    @Override
    public void completed(TupleInfo message) {
        if (rootNsById.isEmpty()) {
            return;
        }
        long emittedNs = rootNsById.remove(message.getRootId());
        if (emittedNs != UNKNOWN) {
            completes.of(message.getTaskId(), component, message.getStream()).record(clock.nanoTime() - emittedNs);
        }
    }

    @Override
    public void failed(TupleInfo message) {
        rootNsById.remove(message.getRootId());
    }

    /** The number of recorded messages that are neither complete nor failed. */
    int pending() {
        return rootNsById.size();
    }

    private void recordRoot(String streamId, List<Object> values) {
        untilSampled = nextSampled();
        rootNs = clock.nanoTime();
        dueNs = dueNs(streamId, values);
    }

    private void offerAgain(AddressedTuple addressed) {
        LatencyStamp stamp = LatencyStamp.of(addressed.tuple);
        if (stamp != null) {
            stamp.offeredAgainNs = clock.nanoTime();
        }
    }

    /** Stamps a tuple that the spout emits for a recorded message, or that a bolt anchors to a recorded tuple. */
    private void stamp(AddressedTuple addressed, LatencyStamp anchor) {
        if (addressed.tuple instanceof Stamped stamped) {
            String stream = addressed.tuple.getSourceStreamId();
            if (Utils.isSystemId(stream)) {
                if (rootSampled && Acker.ACKER_INIT_STREAM_ID.equals(stream)) {
                    rootNsById.put(addressed.tuple.getLong(0).longValue(), rootNs);
                }
            } else if (rootSampled) {
                stamped.setEyewallStamp(new LatencyStamp(rootNs, dueNs, rootNs, 0));
                rememberRoot(addressed.tuple.getMessageId());
            } else if (anchor.emitter == Thread.currentThread()) {
                stamped.setEyewallStamp(new LatencyStamp(anchor.rootNs, anchor.dueNs, anchor.emittingSinceNs, anchor.errorNs));
            }
        }
    }

    private void take(int taskId, TupleImpl tuple, LatencyStamp stamp) {
        executingSinceNs = clock.nanoTime();
        executor = Thread.currentThread();
        stamp.hops = inputs.of(taskId, tuple.getSourceComponent(), tuple.getSourceStreamId());
        stamp.hops.taken(stamp, executingSinceNs);
        executing = stamp;
    }

    private void recordExecuted() {
        executing.hops.executed(executing, executingSinceNs, clock.nanoTime());
        executing = null;
    }

    /** The number of messages until the next recorded one: {@code every} on average. */
    private int nextSampled() {
        return every == 1 ? 1 : 1 + random.nextInt(2 * every - 1);
    }

    /**
     * Remembers when the root of a recorded message was emitted. A spout's tuple is in one tree, or in none if it is not acked. If no task
     * gets a message, the probe sees only the tuple for the acker.
     */
    private void rememberRoot(MessageId id) {
        for (long root : id.getAnchors()) {
            rootNsById.put(root, rootNs);
        }
    }

    /** The first recorded tuple among the anchors; without anchors the tuple that this thread executes. */
    private LatencyStamp stampOf(Collection<Tuple> anchors) {
        if (anchors == null || anchors.isEmpty()) {
            LatencyStamp stamp = executing;
            return stamp != null && executor == Thread.currentThread() ? stamp : null;
        }
        LatencyStamp stamp = null;
        if (anchors instanceof List<Tuple> list && list instanceof RandomAccess) {
            for (int i = 0; stamp == null && i < list.size(); i++) {
                stamp = LatencyStamp.of(list.get(i));
            }
        } else {
            for (Tuple anchor : anchors) {
                stamp = stamp == null ? LatencyStamp.of(anchor) : stamp;
            }
        }
        return stamp;
    }

    private long dueNs(String streamId, List<Object> values) {
        Integer index = dueIndexByStream.get(streamId);
        return index != null && values != null && index < values.size() && values.get(index) instanceof Long due ? due : 0;
    }
}
