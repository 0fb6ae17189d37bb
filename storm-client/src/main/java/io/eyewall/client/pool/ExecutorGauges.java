package io.eyewall.client.pool;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.metrics2.StormMetricRegistry;

/** The gauges of an executor that shares threads. */
final class ExecutorGauges {

    static final String CPU = "executor-cpu-ms";
    static final String OWN_THREAD = "executor-own-thread";

    private ExecutorGauges() {
    }

    /** Registers the gauges of an executor, in the place of those of an executor that has left the worker and had the same task. */
    static void register(StormMetricRegistry metrics, String component, int task, ExecutorPool pool, PooledExecutor executor) {
        metrics.deregister(Stream.of(CPU, OWN_THREAD).map(metrics.getTaskGauges(task)::get).filter(Objects::nonNull)
            .collect(Collectors.toSet()));
        metrics.gauge(CPU, () -> TimeUnit.NANOSECONDS.toMillis(executor.cpuNs()), component, task);
        metrics.gauge(OWN_THREAD, () -> pool.hasOwnThread(executor) ? 1 : 0, component, task);
    }
}
