package io.eyewall.client.seam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;

/** Several features watch the same executor or queue, and each sees everything. */
class SharedProbesTest {

    private final List<String> seen = new ArrayList<>();

    @Test
    void shouldCallTheProbesOfAllFeaturesForEveryEventOfAnExecutor() throws Exception {
        WorkerSeams seams = WorkerSeams.of(List.of(
            feature(builder -> builder.executorProbes(executor -> probe(ExecutorProbe.class, "first"))),
            feature(builder -> builder.executorProbes(executor -> null)),
            feature(builder -> builder.executorProbes(executor -> probe(ExecutorProbe.class, "second")))), new StormTopology(), Map.of());

        assertEachMethodReachesBoth(ExecutorProbe.class, seams.executorProbes().probe(null));
    }

    @Test
    void shouldCallTheProbesOfAllFeaturesForEveryEventOfAQueue() throws Exception {
        ProbedQueue queue = (ProbedQueue) new JCQueue("queue", "metric", 16, 0, 1, new WaitStrategyPark(100), "topology", "component",
            List.of(1), 6700, new StormMetricRegistry());
        queue.addEyewallProbe(probe(QueueProbe.class, "first"));
        queue.addEyewallProbe(probe(QueueProbe.class, "second"));

        assertEachMethodReachesBoth(QueueProbe.class, queue.getEyewallProbe());
    }

    @Test
    void shouldPutNothingInBetweenWhereOneFeatureWatchesAndWatchNothingWhereNoneDoes() {
        ExecutorProbe alone = probe(ExecutorProbe.class, "alone");
        WorkerFeature nobody = feature(builder -> builder.executorProbes(executor -> null));
        WorkerFeature one = feature(builder -> builder.executorProbes(executor -> alone));

        assertSame(alone, WorkerSeams.of(List.of(nobody, one, nobody), new StormTopology(), Map.of()).executorProbes().probe(null));
        assertNull(WorkerSeams.of(List.of(nobody, nobody), new StormTopology(), Map.of()).executorProbes().probe(null));
    }

    /** Calls each method of the probe and asserts that it reaches both, in their order. */
    private void assertEachMethodReachesBoth(Class<?> type, Object probe) throws ReflectiveOperationException {
        for (Method method : type.getDeclaredMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                seen.clear();
                method.invoke(probe, Arrays.stream(method.getParameterTypes()).map(SharedProbesTest::argument).toArray());
                assertEquals(List.of("first: " + method.getName(), "second: " + method.getName()), seen);
            }
        }
    }

    private static Object argument(Class<?> type) {
        return type == int.class ? (Object) 1 : type == boolean.class ? true : null;
    }

    private <T> T probe(Class<T> type, String name) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            seen.add(name + ": " + method.getName());
            return null;
        }));
    }

    private static WorkerFeature feature(Consumer<WorkerSeams.Builder> joining) {
        return new WorkerFeature() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
                joining.accept(seams);
            }
        };
    }
}
