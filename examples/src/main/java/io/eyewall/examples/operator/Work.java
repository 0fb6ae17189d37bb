package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKey;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import io.eyewall.examples.measuring.SystemClock;
import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.apache.storm.task.TopologyContext;

/**
 * The cost of one message in one operator: arithmetic operations, milliseconds asleep, or both; and seconds at a standstill now and then.
 * Used by one thread.
 */
final class Work {

    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;
    private static final long BETWEEN_STALLS_NS = TimeUnit.SECONDS.toNanos(10);

    private final double operations;
    private final double sleepNs;
    private final long stallNs;
    /** Null when each message costs the same. */
    private final Exponential parts;
    private final Clock clock;

    /** Each operation needs the result of the one before, and the last one is kept: none of them can be left out. */
    private long state;
    /** When it last went on after a stall. */
    private long wentOnNs;

    /**
     * The work of one task.
     *
     * @param taskIndex from 0, among the component's tasks
     * @param slow whether the slow tasks' factor applies
     * @param byDefault whether the topology's own keys apply; otherwise only those that name the component
     */
    Work(ExampleConfiguration configuration, String component, int taskIndex, boolean slow, boolean byDefault, Clock clock) {
        double factor = slow ? setting(configuration, ExampleKeys.WORK_SLOW_FACTOR, component) : 1;
        operations = factor * cost(configuration, ExampleKeys.WORK_OPS, component, byDefault);
        sleepNs = factor * TimeUnit.MILLISECONDS.toNanos(cost(configuration, ExampleKeys.WORK_MS, component, byDefault));
        stallNs = TimeUnit.SECONDS.toNanos(cost(configuration, ExampleKeys.WORK_STALL_SEC, component, byDefault));
        wentOnNs = clock.nanoTime() - BETWEEN_STALLS_NS;
        state = configuration.number(ExampleKeys.SEED);
        parts = setting(configuration, ExampleKeys.WORK_VARIES, component) == 1
            ? new Exponential(state + component.hashCode(), taskIndex)
            : null;
        this.clock = clock;
    }

    /**
     * The work of the task that the context belongs to; see the constructor.
     */
    static Work of(ExampleConfiguration configuration, TopologyContext context, boolean byDefault) {
        boolean slow = configuration.number(ExampleKeys.WORK_SLOW_WORKER) == 1
            ? isSlowWorker(context.getThisWorkerTasks(), context.getTaskToComponent().keySet())
            : context.getThisTaskIndex() == 0;
        return new Work(configuration, context.getThisComponentId(), context.getThisTaskIndex(), slow, byDefault, SystemClock.INSTANCE);
    }

    /**
     * Does the work of one message and returns the arithmetic's result.
     */
    long perform() {
        double part = parts == null ? 1 : parts.next();
        long value = state;
        long count = Math.round(part * operations);
        for (long operation = 0; operation < count; operation++) {
            value = value * MULTIPLIER + INCREMENT;
        }
        state = value;
        long durationNs = Math.round(part * sleepNs);
        if (durationNs > 0) {
            clock.sleepNs(durationNs);
        }
        if (stallNs > 0 && clock.nanoTime() - wentOnNs >= BETWEEN_STALLS_NS) {
            clock.sleepNs(stallNs);
            wentOnNs = clock.nanoTime();
        }
        return value;
    }

    /** The one that has the last of the topology's tasks: exactly one has. */
    static boolean isSlowWorker(Collection<Integer> workersTasks, Collection<Integer> topologysTasks) {
        return workersTasks.contains(Collections.max(topologysTasks));
    }

    private static long cost(ExampleConfiguration configuration, ExampleKey key, String component, boolean byDefault) {
        return configuration.override(key, component).orElse(byDefault ? configuration.number(key) : 0);
    }

    private static long setting(ExampleConfiguration configuration, ExampleKey key, String component) {
        return configuration.override(key, component).orElse(configuration.number(key));
    }
}
