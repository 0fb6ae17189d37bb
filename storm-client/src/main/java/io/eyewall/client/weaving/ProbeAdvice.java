package io.eyewall.client.weaving;

import com.esotericsoftware.kryo.io.Input;
import io.eyewall.client.seam.woven.WovenProbes;
import java.util.Collection;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.ExecutorTransfer;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.JCQueue;

/** The code that is inlined into upstream's methods for probes and wires: one call each. */
final class ProbeAdvice {

    private ProbeAdvice() {
    }

    static final class ExecutorMade {
        private ExecutorMade() {
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This Executor executor) {
            WovenProbes.executorMade(executor);
        }
    }

    static final class TransferReplaced {
        private TransferReplaced() {
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This Executor executor, @Advice.Argument(0) ExecutorTransfer transfer) {
            WovenProbes.transferReplaced(executor, transfer);
        }
    }

    static final class WireMade {
        private WireMade() {
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This Object serializer, @Advice.Argument(1) GeneralTopologyContext context) {
            WovenProbes.wireMade(serializer, context);
        }
    }

    static final class Writing {
        private Writing() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This KryoTupleSerializer serializer, @Advice.Argument(0) Tuple tuple) {
            WovenProbes.writing(serializer, tuple);
        }
    }

    static final class Reading {
        private Reading() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This KryoTupleDeserializer deserializer, @Advice.Argument(0) byte[] bytes) {
            WovenProbes.reading(deserializer, bytes);
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This KryoTupleDeserializer deserializer, @Advice.FieldValue("kryoInput") Input input,
                @Advice.Return TupleImpl tuple) {
            WovenProbes.read(deserializer, tuple, input);
        }
    }

    static final class Inserting {
        private Inserting() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This JCQueue queue, @Advice.Argument(0) Object element) {
            WovenProbes.inserting(queue, element);
        }
    }

    static final class InsertingAll {
        private InsertingAll() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This JCQueue queue, @Advice.Argument(0) List<Object> elements) {
            WovenProbes.insertingAll(queue, elements);
        }
    }

    static final class Overflowing {
        private Overflowing() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This JCQueue queue, @Advice.Argument(0) Object element) {
            WovenProbes.overflowing(queue, element);
        }
    }

    static final class Taken {
        private Taken() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("transferQueue") JCQueue queue, @Advice.Argument(0) Object element) {
            WovenProbes.taken(queue, element);
        }
    }

    static final class RootEmitting {
        private RootEmitting() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue(value = "executor", typing = Assigner.Typing.DYNAMIC) Executor executor,
                @Advice.Argument(0) String streamId, @Advice.Argument(1) List<Object> values) {
            WovenProbes.rootEmitting(executor, streamId, values);
        }

        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue(value = "executor", typing = Assigner.Typing.DYNAMIC) Executor executor) {
            WovenProbes.emitted(executor);
        }
    }

    static final class Anchoring {
        private Anchoring() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue(value = "executor", typing = Assigner.Typing.DYNAMIC) Executor executor,
                @Advice.Argument(1) Collection<Tuple> anchors) {
            WovenProbes.anchoring(executor, anchors);
        }

        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue(value = "executor", typing = Assigner.Typing.DYNAMIC) Executor executor) {
            WovenProbes.emitted(executor);
        }
    }

    static final class Emitting {
        private Emitting() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This ExecutorTransfer transfer, @Advice.Argument(0) AddressedTuple tuple,
                @Advice.Argument(value = 1, typing = Assigner.Typing.DYNAMIC) Object pendingEmits) {
            WovenProbes.emitting(transfer, tuple, pendingEmits);
        }
    }

    static final class Executing {
        private Executing() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This Executor executor, @Advice.Argument(0) int taskId, @Advice.Argument(1) TupleImpl tuple) {
            WovenProbes.executing(executor, taskId, tuple);
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This Executor executor, @Advice.Argument(0) int taskId, @Advice.Argument(1) TupleImpl tuple) {
            WovenProbes.executed(executor, taskId, tuple);
        }
    }

    static final class Acking {
        private Acking() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue(value = "executor", typing = Assigner.Typing.DYNAMIC) Executor executor,
                @Advice.Argument(0) Tuple tuple) {
            WovenProbes.acking(executor, tuple);
        }
    }

    static final class Completed {
        private Completed() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This Executor executor, @Advice.Argument(3) TupleInfo message) {
            WovenProbes.completed(executor, message);
        }
    }

    static final class Failed {
        private Failed() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This Executor executor, @Advice.Argument(3) TupleInfo message) {
            WovenProbes.failed(executor, message);
        }
    }
}
