package io.eyewall.client.weaving;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isBridge;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.eyewall.client.seam.CapacityHolder;
import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.ProbeHolder;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.seam.WireHolder;
import io.eyewall.client.seam.WovenCalls;
import io.eyewall.client.seam.WovenDelegates;
import io.eyewall.client.substitute.CapacityMemory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.build.Plugin;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.modifier.FieldManifestation;
import net.bytebuddy.description.modifier.FieldPersistence;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.matcher.ElementMatcher;

/**
 * Weaves every seam of the worker. Each seam names one upstream class and one method of it, and each must match: upstream changing under
 * a seam fails the build with the seam's name.
 */
public final class SeamWeaver implements Plugin {

    private static final String BOLT_COLLECTOR = "org.apache.storm.executor.bolt.BoltOutputCollectorImpl";
    private static final String BOLT_EXECUTOR = "org.apache.storm.executor.bolt.BoltExecutor";
    private static final String BOLT_STATS = "org.apache.storm.stats.BoltExecutorStats";
    private static final String DESERIALIZER = "org.apache.storm.serialization.KryoTupleDeserializer";
    private static final String EXECUTOR = "org.apache.storm.executor.Executor";
    private static final String QUEUE = "org.apache.storm.utils.JCQueue";
    private static final String SERIALIZER = "org.apache.storm.serialization.KryoTupleSerializer";
    private static final String SPOUT_COLLECTOR = "org.apache.storm.executor.spout.SpoutOutputCollectorImpl";
    private static final String SPOUT_EXECUTOR = "org.apache.storm.executor.spout.SpoutExecutor";
    private static final String TRANSFER = "org.apache.storm.executor.ExecutorTransfer";
    private static final String WORKER_STATE = "org.apache.storm.daemon.worker.WorkerState";
    private static final String WORKER_TRANSFER = "org.apache.storm.daemon.worker.WorkerTransfer";

    private final List<Seam> seams = List.of(
        Seam.advice("worker-lifetime (open)", WORKER_STATE, named("mkReceiveQueueMap"), SeamAdvice.Open.class),
        Seam.advice("worker-lifetime (close)", WORKER_STATE, named("closeResources"), SeamAdvice.Close.class),
        Seam.construction("receive-queue", WORKER_STATE, named("mkReceiveQueueMap"), QUEUE, "receiveQueue"),
        Seam.call("received-tuple", WORKER_STATE, named("transferLocalBatch"), QUEUE, "tryPublish", "received"),
        Seam.construction("transfer-queue", WORKER_TRANSFER, isConstructor(), QUEUE, "transferQueue"),
        Seam.advice("grouping", "org.apache.storm.daemon.GrouperFactory", named("mkGrouper"), SeamAdvice.GroupingMade.class),
        Seam.advice("task-object", "org.apache.storm.daemon.Task", named("mkTaskObject"), SeamAdvice.TaskObjectMade.class),
        Seam.construction("executor (spout)", EXECUTOR, named("mkExecutor"), SPOUT_EXECUTOR, "spoutExecutor"),
        Seam.construction("executor (bolt)", EXECUTOR, named("mkExecutor"), BOLT_EXECUTOR, "boltExecutor"),
        Seam.call("executor-loop", EXECUTOR, named("execute"), "org.apache.storm.utils.Utils", "asyncLoop", "executorLoop"),
        Seam.constructionByDelegate("pending-messages", SPOUT_EXECUTOR, named("init"), "org.apache.storm.utils.RotatingMap",
            "pendingMessages"),
        Seam.construction("spout-collector", SPOUT_EXECUTOR, named("init"), SPOUT_COLLECTOR, "spoutCollector"),
        Seam.construction("bolt-collector", BOLT_EXECUTOR, named("init"), BOLT_COLLECTOR, "boltCollector"),
        Seam.construction("worker-transfer", WORKER_STATE, isConstructor(), WORKER_TRANSFER, "workerTransfer"),
        Seam.advice("outbound-tasks", WORKER_STATE, named("workerOutboundTasks"), SeamAdvice.OutboundTasksFound.class),
        Seam.call("receiver", WORKER_STATE, isConstructor(), "org.apache.storm.messaging.IContext", "bind", "receiver"),
        Seam.advice("topology-submission", "org.apache.storm.StormSubmitter", named("submitTopologyInDistributeMode"),
            SeamAdvice.Submitting.class),
        Seam.advice("supervisor-version", "org.apache.storm.generated.SupervisorInfo", named("set_version"),
            SeamAdvice.VersionTold.class),

        Seam.property("tuple-stamp", "org.apache.storm.tuple.TupleImpl", "eyewallStamp", Object.class, Stamped.class),

        Seam.property("tuple-wire (serializer)", SERIALIZER, "eyewallWire", TupleWire.class, WireHolder.class),
        Seam.advice("tuple-wire (serializer made)", SERIALIZER, isConstructor(), ProbeAdvice.WireMade.class),
        Seam.advice("tuple-wire (writing)", SERIALIZER, named("serialize"), ProbeAdvice.Writing.class),
        Seam.delegation("tuple-wire (written)", SERIALIZER, named("serialize"), "com.esotericsoftware.kryo.io.Output", "toBytes",
            "written"),
        Seam.property("tuple-wire (deserializer)", DESERIALIZER, "eyewallWire", TupleWire.class, WireHolder.class),
        Seam.advice("tuple-wire (deserializer made)", DESERIALIZER, isConstructor(), ProbeAdvice.WireMade.class),
        Seam.advice("tuple-wire (read)", DESERIALIZER, named("deserialize").and(not(isBridge())), ProbeAdvice.Reading.class),

        Seam.call("message-id", DESERIALIZER, named("deserialize").and(not(isBridge())), "org.apache.storm.tuple.MessageId", "deserialize",
            "messageId"),
        Seam.advice("message-id (compared)", "org.apache.storm.tuple.MessageId", named("equals"), SeamAdvice.IdsCompared.class),

        Seam.construction("task-metrics", "org.apache.storm.daemon.Task", isConstructor(), "org.apache.storm.metrics2.TaskMetrics",
            "taskMetrics"),
        Seam.construction("outgoing-tasks (list)", "org.apache.storm.daemon.Task",
            named("getOutgoingTasks").and(takesArguments(2)), "java.util.ArrayList", "outgoingTasks"),
        Seam.call("outgoing-tasks (added)", "org.apache.storm.daemon.Task", named("getOutgoingTasks").and(takesArguments(2)),
            "java.util.ArrayList", "addAll", "addTasks"),

        Seam.call("serializer-of-thread", TRANSFER, isConstructor(), "java.lang.ThreadLocal", "withInitial", "serializerOfThread"),

        Seam.property("capacity", BOLT_STATS, "eyewallCapacity", CapacityMemory.class, CapacityHolder.class),
        Seam.advice("capacity (worked out)", BOLT_STATS, named("calculateCapacity"), SeamAdvice.CapacityWorkedOut.class),

        Seam.property("queue-probe", QUEUE, "eyewallProbe", QueueProbe.class, ProbedQueue.class),
        Seam.advice("queue-probe (inserting)", QUEUE, named("tryPublishInternal").and(takesArguments(Object.class)),
            ProbeAdvice.Inserting.class),
        Seam.advice("queue-probe (inserting all)", QUEUE, named("tryPublishInternal").and(takesArguments(ArrayList.class)),
            ProbeAdvice.InsertingAll.class),
        Seam.advice("queue-probe (overflowing)", QUEUE, named("tryPublishToOverflow"), ProbeAdvice.Overflowing.class),
        Seam.advice("queue-probe (taken)", WORKER_TRANSFER, named("accept"), ProbeAdvice.Taken.class),

        Seam.property("executor-probe", EXECUTOR, "eyewallProbe", ExecutorProbe.class, ProbeHolder.class),
        Seam.property("executor-probe (transfer)", TRANSFER, "eyewallProbe", ExecutorProbe.class, ProbeHolder.class),
        Seam.advice("executor-probe (made)", EXECUTOR, isConstructor(), ProbeAdvice.ExecutorMade.class),
        Seam.advice("executor-probe (local mode)", EXECUTOR, named("setLocalExecutorTransfer"), ProbeAdvice.TransferReplaced.class),
        Seam.advice("executor-probe (root emitting)", SPOUT_COLLECTOR, named("sendSpoutMsg"), ProbeAdvice.RootEmitting.class),
        Seam.advice("executor-probe (anchoring)", BOLT_COLLECTOR, named("boltEmit"), ProbeAdvice.Anchoring.class),
        Seam.advice("executor-probe (emitting)", TRANSFER, named("tryTransfer"), ProbeAdvice.Emitting.class),
        Seam.advice("executor-probe (executing)", BOLT_EXECUTOR, named("tupleActionFn"), ProbeAdvice.Executing.class),
        Seam.advice("executor-probe (acking)", BOLT_COLLECTOR, named("ack"), ProbeAdvice.Acking.class),
        Seam.advice("executor-probe (completed)", SPOUT_EXECUTOR, named("ackSpoutMsg"), ProbeAdvice.Completed.class),
        Seam.advice("executor-probe (failed)", SPOUT_EXECUTOR, named("failSpoutMsg"), ProbeAdvice.Failed.class));

    private RuntimeException failure;

    @Override
    public boolean matches(TypeDescription type) {
        return seams.stream().anyMatch(seam -> seam.upstreamType.equals(type.getName()));
    }

    @Override
    public DynamicType.Builder<?> apply(DynamicType.Builder<?> builder, TypeDescription type, ClassFileLocator locator) {
        DynamicType.Builder<?> woven = builder;
        try {
            for (Seam seam : seams) {
                if (seam.upstreamType.equals(type.getName())) {
                    woven = seam.change.apply(woven, seam.counter);
                }
            }
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
        return woven;
    }

    /**
     * Checks that every seam took hold.
     *
     * @throws IllegalStateException names the seams that matched nothing
     */
    @Override
    public void close() {
        if (failure != null) {
            throw failure;
        }
        List<String> missed = seams.stream().filter(seam -> seam.counter.matches == 0).map(seam -> seam.name).toList();
        if (!missed.isEmpty()) {
            throw new IllegalStateException("These seams match nothing in this version of upstream: " + String.join(", ", missed));
        }
    }

    /** Changes a class, asking the counter about each place it is about to change. */
    @FunctionalInterface
    private interface Change {
        DynamicType.Builder<?> apply(DynamicType.Builder<?> builder, Counter counter);
    }

    private record Seam(String name, String upstreamType, Change change, Counter counter) {

        /** Inlines advice into a method. */
        static Seam advice(String name, String upstreamType, ElementMatcher.Junction<? super MethodDescription> method,
                Class<?> advice) {
            return new Seam(name, upstreamType, (builder, counter) -> builder.visit(
                Advice.to(advice).on(isDeclaredBy(named(upstreamType)).and(method).and(counter))), new Counter());
        }

        /** Adds a property with its getter and setter, which an interface declares; what the interface does itself stays as it is. */
        static Seam property(String name, String upstreamType, String field, Class<?> type, Class<?> holder) {
            return new Seam(name, upstreamType, (builder, counter) -> {
                counter.matches++;
                return builder.defineField(field, type, Visibility.PUBLIC, FieldManifestation.PLAIN, FieldPersistence.TRANSIENT)
                    .implement(holder).method(isDeclaredBy(holder).and(isAbstract())).intercept(FieldAccessor.ofField(field));
            }, new Counter());
        }

        /** Puts one of {@link WovenDelegates}' annotated methods in the place of a method call inside a method. */
        static Seam delegation(String name, String upstreamType, ElementMatcher<? super MethodDescription> inside, String calledType,
                String calledMethod, String delegate) {
            return new Seam(name, upstreamType, (builder, counter) -> builder.visit(MemberSubstitution.strict()
                .method(declaredBy(calledType).and(named(calledMethod)).and(counter))
                .replaceWithChain(MemberSubstitution.Substitution.Chain.Step.ForDelegation.to(delegate(delegate))).on(inside)),
                new Counter());
        }

        /** Puts one of {@link WovenDelegates}' annotated methods in the place of a constructor call inside a method. */
        static Seam constructionByDelegate(String name, String upstreamType, ElementMatcher<? super MethodDescription> inside,
                String constructedType, String delegate) {
            return new Seam(name, upstreamType, (builder, counter) -> builder.visit(MemberSubstitution.strict()
                .constructor(declaredBy(constructedType).and(counter))
                .replaceWithChain(MemberSubstitution.Substitution.Chain.Step.ForDelegation.to(delegate(delegate))).on(inside)),
                new Counter());
        }

        /** Puts a woven call in the place of a constructor call inside a method. */
        static Seam construction(String name, String upstreamType, ElementMatcher<? super MethodDescription> inside,
                String constructedType, String wovenCall) {
            return new Seam(name, upstreamType, (builder, counter) -> builder.visit(MemberSubstitution.strict()
                .constructor(declaredBy(constructedType).and(counter)).replaceWith(wovenCall(wovenCall)).on(inside)), new Counter());
        }

        /** Puts a woven call in the place of a method call inside a method. */
        static Seam call(String name, String upstreamType, ElementMatcher<? super MethodDescription> inside, String calledType,
                String calledMethod, String wovenCall) {
            return new Seam(name, upstreamType, (builder, counter) -> builder.visit(MemberSubstitution.strict()
                .method(declaredBy(calledType).and(named(calledMethod)).and(counter)).replaceWith(wovenCall(wovenCall)).on(inside)),
                new Counter());
        }

        private static ElementMatcher.Junction<MethodDescription> declaredBy(String type) {
            return new ElementMatcher.Junction.AbstractBase<>() {
                @Override
                public boolean matches(MethodDescription method) {
                    return method.getDeclaringType().asErasure().getName().equals(type);
                }
            };
        }

        private static Method delegate(String name) {
            return Arrays.stream(WovenDelegates.class.getMethods()).filter(method -> method.getName().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalStateException("WovenDelegates has no method " + name));
        }

        private static Method wovenCall(String name) {
            return Arrays.stream(WovenCalls.class.getMethods()).filter(method -> method.getName().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalStateException("WovenCalls has no method " + name));
        }
    }

    /** Matches everything and counts it: stands last in a chain of matchers. */
    private static final class Counter extends ElementMatcher.Junction.AbstractBase<MethodDescription> {
        private int matches;

        @Override
        public boolean matches(MethodDescription method) {
            matches++;
            return true;
        }
    }
}
