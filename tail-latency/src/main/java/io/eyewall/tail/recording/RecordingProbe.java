package io.eyewall.tail.recording;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.Stamped;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.agrona.collections.Long2LongHashMap;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * Stamps what one executor emits and records what it takes in. Every field is used by the executor's thread alone.
 */
final class RecordingProbe implements ExecutorProbe {

    private static final long UNKNOWN = Long.MIN_VALUE;

    private final NanoClock clock;
    private final int every;
    private final String dueField;
    private final InputHops inputs;
    private final StreamRecorders completes;
    private final WorkerTopologyContext context;
    private final String component;

    /** When the messages were emitted whose trees are recorded and not yet complete, by root id. */
    private final Long2LongHashMap rootNsById = new Long2LongHashMap(UNKNOWN);
    private int untilSampled = 1;

    /** What the tuples of the present emit inherit; {@code emittedNs} is {@link #UNKNOWN} where they are not recorded. */
    private long rootNs;
    private long dueNs;
    private long errorNs;
    private long emittedNs = UNKNOWN;
    private boolean root;
    private String rootStream;

    /** The stamp of the tuple that is being executed, or null, and since when. */
    private LatencyStamp executing;
    private long executingSinceNs;

    /** Where the due time is among the fields of the stream that was last asked for, or -1. */
    private String dueIndexStream;
    private int dueIndex;

    RecordingProbe(LatencyRecordingConfiguration configuration, NanoClock clock, HopRecorders recorders, WorkerTopologyContext context,
            String component) {
        this.clock = clock;
        this.every = configuration.sampling().every();
        this.dueField = configuration.dueField();
        this.inputs = new InputHops(recorders, component);
        this.completes = StreamRecorders.ofTasks(recorders, Point.COMPLETE);
        this.context = context;
        this.component = component;
    }

    @Override
    public void rootEmitting(String streamId, List<Object> values) {
        if (--untilSampled > 0) {
            return;
        }
        untilSampled = every;
        emittedNs = clock.nanoTime();
        rootNs = emittedNs;
        errorNs = 0;
        dueNs = dueNs(streamId, values);
        root = true;
        rootStream = streamId;
    }

    @Override
    public void anchoring(Collection<Tuple> anchors) {
        LatencyStamp parent = stampOf(anchors);
        if (parent == null) {
            return;
        }
        emittedNs = clock.nanoTime();
        rootNs = parent.rootNs;
        dueNs = parent.dueNs;
        errorNs = parent.errorNs;
        root = false;
    }

    @Override
    public void emitted() {
        emittedNs = UNKNOWN;
    }

    @Override
    public void emitting(AddressedTuple addressed, boolean again) {
        if (!(addressed.tuple instanceof Stamped stamped)) {
            return;
        }
        if (again) {
            if (stamped.getEyewallStamp() instanceof LatencyStamp stamp) {
                stamp.offeredAgainNs = clock.nanoTime();
            }
            return;
        }
        if (emittedNs == UNKNOWN || (root && !rootStream.equals(addressed.tuple.getSourceStreamId()))) {
            return; // Not sampled, or a message to the ackers that accompanies the spout's.
        }
        LatencyStamp stamp = new LatencyStamp(rootNs, dueNs, emittedNs);
        stamp.errorNs = errorNs;
        stamped.setEyewallStamp(stamp);
        if (root) {
            Map<Long, Long> anchors = addressed.tuple.getMessageId().getAnchorsToIds();
            if (!anchors.isEmpty()) {
                rootNsById.put(anchors.keySet().iterator().next().longValue(), rootNs);
            }
        }
    }

    @Override
    public void executing(int taskId, TupleImpl tuple) {
        executing = stampOf(tuple);
        if (executing == null) {
            return;
        }
        executingSinceNs = clock.nanoTime();
        executing.hops = inputs.of(taskId, tuple.getSourceComponent(), tuple.getSourceStreamId());
        executing.hops.taken(executing, executingSinceNs);
    }

    @Override
    public void executed(int taskId, TupleImpl tuple) {
        if (executing != null) {
            executing.hops.executed(executing, executingSinceNs, clock.nanoTime());
            executing = null;
        }
    }

    @Override
    public void acking(Tuple tuple) {
        LatencyStamp stamp = stampOf(tuple);
        if (stamp != null && stamp.hops != null) {
            stamp.hops.acked(stamp, clock.nanoTime());
        }
    }

    @Override
    public void completed(TupleInfo message) {
        long emitted = rootNsById.remove(message.getRootId());
        if (emitted != UNKNOWN) {
            completes.of(message.getTaskId(), component, message.getStream()).record(clock.nanoTime() - emitted);
        }
    }

    @Override
    public void failed(TupleInfo message) {
        rootNsById.remove(message.getRootId());
    }

    /** How many recorded messages are neither complete nor failed. */
    int pending() {
        return rootNsById.size();
    }

    private LatencyStamp stampOf(Collection<Tuple> anchors) {
        if (anchors == null || anchors.isEmpty()) {
            return executing;
        }
        if (anchors instanceof List<Tuple> list && list.size() == 1) {
            return stampOf(list.get(0));
        }
        LatencyStamp stamp = null;
        for (Iterator<Tuple> each = anchors.iterator(); stamp == null && each.hasNext();) {
            stamp = stampOf(each.next());
        }
        return stamp;
    }

    private static LatencyStamp stampOf(Tuple tuple) {
        return tuple instanceof Stamped stamped && stamped.getEyewallStamp() instanceof LatencyStamp stamp ? stamp : null;
    }

    private long dueNs(String streamId, List<Object> values) {
        if (!streamId.equals(dueIndexStream)) {
            dueIndexStream = streamId;
            dueIndex = context.getComponentOutputFields(component, streamId).toList().indexOf(dueField);
        }
        return dueIndex >= 0 && dueIndex < values.size() && values.get(dueIndex) instanceof Long due ? due : 0;
    }
}
