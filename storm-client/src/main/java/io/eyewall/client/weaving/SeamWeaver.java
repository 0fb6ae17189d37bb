package io.eyewall.client.weaving;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;

import io.eyewall.client.seam.WovenCalls;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.build.Plugin;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.matcher.ElementMatcher;

/**
 * Weaves every seam of the worker. Each seam names one upstream class and one method of it, and each must match: upstream changing under
 * a seam fails the build with the seam's name.
 */
public final class SeamWeaver implements Plugin {

    private static final String EXECUTOR = "org.apache.storm.executor.Executor";
    private static final String WORKER_STATE = "org.apache.storm.daemon.worker.WorkerState";

    private final List<Seam> seams = List.of(
        Seam.advice("worker-lifetime (open)", WORKER_STATE, "mkReceiveQueueMap", SeamAdvice.Open.class),
        Seam.advice("worker-lifetime (close)", WORKER_STATE, "closeResources", SeamAdvice.Close.class),
        Seam.construction("receive-queue", WORKER_STATE, named("mkReceiveQueueMap"), "org.apache.storm.utils.JCQueue", "receiveQueue"),
        Seam.advice("grouping", "org.apache.storm.daemon.GrouperFactory", "mkGrouper", SeamAdvice.GroupingMade.class),
        Seam.advice("task-object", "org.apache.storm.daemon.Task", "mkTaskObject", SeamAdvice.TaskObjectMade.class),
        Seam.construction("executor (spout)", EXECUTOR, named("mkExecutor"),
            "org.apache.storm.executor.spout.SpoutExecutor", "spoutExecutor"),
        Seam.construction("executor (bolt)", EXECUTOR, named("mkExecutor"),
            "org.apache.storm.executor.bolt.BoltExecutor", "boltExecutor"),
        Seam.call("executor-loop", EXECUTOR, named("execute"), "org.apache.storm.utils.Utils", "asyncLoop", "executorLoop"),
        Seam.construction("spout-collector", "org.apache.storm.executor.spout.SpoutExecutor", named("init"),
            "org.apache.storm.executor.spout.SpoutOutputCollectorImpl", "spoutCollector"),
        Seam.construction("bolt-collector", "org.apache.storm.executor.bolt.BoltExecutor", named("init"),
            "org.apache.storm.executor.bolt.BoltOutputCollectorImpl", "boltCollector"),
        Seam.construction("worker-transfer", WORKER_STATE, isConstructor(),
            "org.apache.storm.daemon.worker.WorkerTransfer", "workerTransfer"));

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
        static Seam advice(String name, String upstreamType, String method, Class<?> advice) {
            return new Seam(name, upstreamType, (builder, counter) -> builder.visit(Advice.to(advice).on(named(method).and(counter))),
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
