package io.eyewall.client.seam.woven;

import com.esotericsoftware.kryo.io.Input;
import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.seam.TupleWire;
import java.util.Collection;
import java.util.List;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.ExecutorTransfer;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.JCQueue;

/**
 * The calls by which woven code, and classes that replace it, report to a worker's probes and wires what happens to a tuple; not for use by
 * features. If no feature watches, each is a field read and a null check, small enough to be inlined. Parameters have the classes that hold
 * the fields, so that the compiler knows that the casts succeed.
 */
public final class WovenProbes {

    private WovenProbes() {
    }

    /** At the end of {@code Executor}'s constructor. */
    public static void executorMade(Executor executor) {
        ExecutorProbe probe = SeamEntry.of(executor.getWorkerData()).executorProbes().probe(executor);
        ((ProbeHolder) executor).setEyewallProbe(probe);
        ((ProbeHolder) executor.getExecutorTransfer()).setEyewallProbe(probe);
    }

    /** At the end of {@code Executor.setLocalExecutorTransfer}, which local mode calls with a transfer of its own. */
    public static void transferReplaced(Executor executor, ExecutorTransfer transfer) {
        ((ProbeHolder) transfer).setEyewallProbe(((ProbeHolder) executor).getEyewallProbe());
    }

    /** At the end of the constructors of {@code KryoTupleSerializer} and {@code KryoTupleDeserializer}. */
    public static void wireMade(Object serializer, GeneralTopologyContext context) {
        if (context instanceof WorkerTopologyContext worker) {
            ((WireHolder) serializer).setEyewallWire(SeamEntry.of(worker).tupleWires().wire(worker));
        }
    }

    /** At the beginning of {@code KryoTupleSerializer.serialize}. */
    public static void writing(KryoTupleSerializer serializer, Tuple tuple) {
        TupleWire wire = ((WireHolder) serializer).getEyewallWire();
        if (wire != null) {
            wire.writing(tuple);
        }
    }

    /** At the beginning of {@code KryoTupleDeserializer.deserialize}. */
    public static void reading(KryoTupleDeserializer deserializer, byte[] bytes) {
        TupleWire wire = ((WireHolder) deserializer).getEyewallWire();
        if (wire != null) {
            wire.reading(bytes, bytes.length);
        }
    }

    /** At the end of {@code KryoTupleDeserializer.deserialize}. */
    public static void read(KryoTupleDeserializer deserializer, Tuple tuple, Input input) {
        TupleWire wire = ((WireHolder) deserializer).getEyewallWire();
        if (wire != null) {
            wire.read(tuple, input);
        }
    }

    /** At the beginning of {@code JCQueue.tryPublishInternal} with one element. */
    public static void inserting(JCQueue queue, Object element) {
        QueueProbe probe = ((ProbedQueue) queue).getEyewallProbe();
        if (probe != null) {
            probe.inserting(element);
        }
    }

    /** At the beginning of {@code JCQueue.tryPublishInternal} with a list of elements. */
    public static void insertingAll(JCQueue queue, List<Object> elements) {
        QueueProbe probe = ((ProbedQueue) queue).getEyewallProbe();
        if (probe != null) {
            for (int i = 0; i < elements.size(); i++) {
                probe.inserting(elements.get(i));
            }
        }
    }

    /** At the beginning of {@code JCQueue.tryPublishToOverflow}. */
    public static void overflowing(JCQueue queue, Object element) {
        QueueProbe probe = ((ProbedQueue) queue).getEyewallProbe();
        if (probe != null) {
            probe.overflowing(element);
        }
    }

    /** At the beginning of {@code WorkerTransfer.accept}. */
    public static void taken(JCQueue transferQueue, Object element) {
        QueueProbe probe = ((ProbedQueue) transferQueue).getEyewallProbe();
        if (probe != null) {
            probe.taken(element);
        }
    }

    /** At the beginning of {@code SpoutOutputCollectorImpl.sendSpoutMsg}. */
    public static void rootEmitting(Executor executor, String streamId, List<Object> values) {
        ExecutorProbe probe = ((ProbeHolder) executor).getEyewallProbe();
        if (probe != null) {
            probe.rootEmitting(streamId, values);
        }
    }

    /** At the beginning of {@code BoltOutputCollectorImpl.boltEmit}. */
    public static void anchoring(Executor executor, Collection<Tuple> anchors) {
        ExecutorProbe probe = ((ProbeHolder) executor).getEyewallProbe();
        if (probe != null) {
            probe.anchoring(anchors);
        }
    }

    /** At the end of both. */
    public static void emitted(Executor executor) {
        ExecutorProbe probe = ((ProbeHolder) executor).getEyewallProbe();
        if (probe != null) {
            probe.emitted();
        }
    }

    /** At the beginning of {@code ExecutorTransfer.tryTransfer}; upstream passes no list of pending emits when it offers one again. */
    public static void emitting(ExecutorTransfer transfer, AddressedTuple tuple, Object pendingEmits) {
        ExecutorProbe probe = ((ProbeHolder) transfer).getEyewallProbe();
        if (probe != null) {
            probe.emitting(tuple, pendingEmits == null);
        }
    }

    /** At the beginning of {@code BoltExecutor.tupleActionFn}. */
    public static void executing(Executor executor, int taskId, TupleImpl tuple) {
        ExecutorProbe probe = ((ProbeHolder) executor).getEyewallProbe();
        if (probe != null) {
            probe.executing(taskId, tuple);
        }
    }

    /** At the end of {@code BoltExecutor.tupleActionFn}. */
    public static void executed(Executor executor, int taskId, TupleImpl tuple) {
        ExecutorProbe probe = ((ProbeHolder) executor).getEyewallProbe();
        if (probe != null) {
            probe.executed(taskId, tuple);
        }
    }

    /** At the beginning of {@code BoltOutputCollectorImpl.ack}. */
    public static void acking(Executor executor, Tuple tuple) {
        ExecutorProbe probe = ((ProbeHolder) executor).getEyewallProbe();
        if (probe != null) {
            probe.acking(tuple);
        }
    }

    /** At the beginning of {@code SpoutExecutor.ackSpoutMsg}. */
    public static void completed(Executor executor, TupleInfo message) {
        ExecutorProbe probe = ((ProbeHolder) executor).getEyewallProbe();
        if (probe != null) {
            probe.completed(message);
        }
    }

    /** At the beginning of {@code SpoutExecutor.failSpoutMsg}. */
    public static void failed(Executor executor, TupleInfo message) {
        ExecutorProbe probe = ((ProbeHolder) executor).getEyewallProbe();
        if (probe != null) {
            probe.failed(message);
        }
    }
}
