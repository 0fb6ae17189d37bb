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
 * Simulates the cost of a message in an operator: arithmetic operations, milliseconds of sleep, or both, for each message or for one in so
 * many; and a stall of some seconds from time to time. For one thread.
 */
final class SimulatedWork {

    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;
    private static final long BETWEEN_STALLS_NS = TimeUnit.SECONDS.toNanos(10);

    private final double operations;
    private final double sleepNs;
    /** One message in so many costs that. */
    private final long every;
    private final long stallNs;
    /** The cost of each message relative to the mean, or null if all messages cost the same. */
    private final ExponentialSequence variation;
    private final Clock clock;

    /** The result of the last operation, which each operation needs, so that the compiler cannot drop any. */
    private long state;
    /** How many messages have come since the last one that cost something. */
    private long messages;
    /** When the last stall ended. */
    private long stallEndNs;

    /**
     * The work of one task.
     *
     * @param taskIndex from 0, among the component's tasks
     * @param slow whether the factor of slow tasks applies
     * @param byDefault whether the keys for the whole topology apply; if not, only those that name the component apply
     */
    SimulatedWork(ExampleConfiguration configuration, String component, int taskIndex, boolean slow, boolean byDefault, Clock clock) {
        double factor = slow ? setting(configuration, ExampleKeys.WORK_SLOW_FACTOR, component) : 1;
        operations = factor * cost(configuration, ExampleKeys.WORK_OPS, component, byDefault);
        sleepNs = factor * TimeUnit.MILLISECONDS.toNanos(cost(configuration, ExampleKeys.WORK_MS, component, byDefault));
        every = setting(configuration, ExampleKeys.WORK_EVERY, component);
        stallNs = TimeUnit.SECONDS.toNanos(cost(configuration, ExampleKeys.WORK_STALL_SEC, component, byDefault));
        stallEndNs = clock.nanoTime() - BETWEEN_STALLS_NS;
        state = configuration.number(ExampleKeys.SEED);
        variation = setting(configuration, ExampleKeys.WORK_VARIES, component) == 1
            ? new ExponentialSequence(state + component.hashCode(), taskIndex)
            : null;
        this.clock = clock;
    }

    /**
     * The work of a task; see the constructor.
     */
    static SimulatedWork of(ExampleConfiguration configuration, TopologyContext context, boolean byDefault) {
        boolean slow = configuration.number(ExampleKeys.WORK_SLOW_WORKER) == 1
            ? isSlowWorker(context.getThisWorkerTasks(), context.getTaskToComponent().keySet())
            : context.getThisTaskIndex() == 0;
        return new SimulatedWork(configuration, context.getThisComponentId(), context.getThisTaskIndex(), slow, byDefault,
            SystemClock.INSTANCE);
    }

    /**
     * Does the work of one message, if it has any, and returns the result of the arithmetic so far.
     */
    long perform() {
        messages++;
        if (messages == every) {
            messages = 0;
            work();
        }
        if (stallNs > 0 && clock.nanoTime() - stallEndNs >= BETWEEN_STALLS_NS) {
            clock.sleepNs(stallNs);
            stallEndNs = clock.nanoTime();
        }
        return state;
    }

    private void work() {
        double factor = variation == null ? 1 : variation.next();
        long value = state;
        long count = Math.round(factor * operations);
        for (long operation = 0; operation < count; operation++) {
            value = value * MULTIPLIER + INCREMENT;
        }
        state = value;
        long durationNs = Math.round(factor * sleepNs);
        if (durationNs > 0) {
            clock.sleepNs(durationNs);
        }
    }

    /** Whether a worker is the slow one. This is the worker with the topology's last task. */
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
