package io.eyewall.tail.recording;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.storm.daemon.Acker;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/** Calls a probe as upstream's executor of one component does, in upstream's order. */
final class Emitter {

    private final TestTopology topology;
    private final String component;
    private final RecordingProbe probe;

    Emitter(TestTopology topology, String component, RecordingProbe probe) {
        this.topology = topology;
        this.component = component;
        this.probe = probe;
    }

    /** A spout emits a message to each of the tasks; {@code rootId} is 0 where nobody acks it. */
    List<TupleImpl> root(long rootId, String stream, List<Object> values, int... toTasks) {
        probe.rootEmitting(stream, values);
        List<TupleImpl> tuples = offer(stream, values, rootId == 0 ? MessageId.makeUnanchored() : MessageId.makeRootId(rootId, 1), toTasks);
        system("__eventlog", "values");
        if (rootId != 0) {
            system(Acker.ACKER_INIT_STREAM_ID, rootId, 1L, topology.task(component, 0));
        }
        probe.emitted();
        return tuples;
    }

    /** A bolt emits one tuple, anchored to others, to each of the tasks. */
    List<TupleImpl> anchored(Collection<Tuple> anchors, int... toTasks) {
        probe.anchoring(anchors);
        List<TupleImpl> tuples = offer(TestTopology.DEFAULT, List.of("word"), MessageId.makeId(Map.of(7L, 8L)), toTasks);
        system("__eventlog", "values");
        probe.emitted();
        return tuples;
    }

    /** A message of the spout's first task. */
    TupleInfo message(long rootId) {
        TupleInfo message = new TupleInfo();
        message.setTaskId(topology.task(component, 0));
        message.setStream(TestTopology.DEFAULT);
        message.setRootId(rootId);
        return message;
    }

    /** The executor offers a system tuple, as it does for acks, metrics and event loggers. */
    TupleImpl system(String stream, Object... values) {
        TupleImpl tuple = new TupleImpl(topology.context(), Arrays.asList(values), component, topology.task(component, 0), stream,
            MessageId.makeUnanchored());
        probe.emitting(new AddressedTuple(topology.task("__acker", 0), tuple), false);
        return tuple;
    }

    private List<TupleImpl> offer(String stream, List<Object> values, MessageId id, int... toTasks) {
        List<TupleImpl> tuples = new ArrayList<>();
        for (int task : toTasks) {
            TupleImpl tuple = new TupleImpl(topology.context(), values, component, topology.task(component, 0), stream, id);
            probe.emitting(new AddressedTuple(task, tuple), false);
            tuples.add(tuple);
        }
        return tuples;
    }
}
