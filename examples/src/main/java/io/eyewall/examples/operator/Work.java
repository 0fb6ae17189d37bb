package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKey;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import java.util.concurrent.TimeUnit;

/**
 * The cost of one message in one operator: arithmetic operations, milliseconds asleep, or both. Used by one thread.
 */
final class Work {

    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;

    /** Further than the messages of any task, so that the tasks' costs vary independently of each other. */
    private static final int TASK_SHIFT = 44;
    private static final int UNIFORM_BITS = 53;

    private final double operations;
    private final double sleepNs;
    private final boolean varies;
    private final long seed;
    private final Clock clock;

    /** The number of the last message, beginning at another one in each task. */
    private long number;
    /** Each operation needs the result of the one before, and the last one is kept: none of them can be left out. */
    private long state;

    /**
     * The work of one task.
     *
     * @param taskIndex from 0, among the component's tasks
     * @param byDefault whether the topology's own keys apply; otherwise only those that name the component
     */
    Work(ExampleConfiguration configuration, String component, int taskIndex, boolean byDefault, Clock clock) {
        double factor = taskIndex == 0 ? setting(configuration, ExampleKeys.WORK_SLOW_FACTOR, component) : 1;
        operations = factor * cost(configuration, ExampleKeys.WORK_OPS, component, byDefault);
        sleepNs = factor * TimeUnit.MILLISECONDS.toNanos(cost(configuration, ExampleKeys.WORK_MS, component, byDefault));
        varies = setting(configuration, ExampleKeys.WORK_VARIES, component) == 1;
        seed = configuration.number(ExampleKeys.SEED);
        this.clock = clock;
        number = (long) taskIndex << TASK_SHIFT;
        state = seed;
    }

    /**
     * Does the work of one message and returns the arithmetic's result.
     */
    long perform() {
        double part = varies ? exponential() : 1;
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
        return value;
    }

    /** 1 in the mean. */
    private double exponential() {
        number++;
        double uniform = ((SeededHash.of(seed, number) >>> (Long.SIZE - UNIFORM_BITS)) + 1) * 0x1p-53;
        return -Math.log(uniform);
    }

    private static long cost(ExampleConfiguration configuration, ExampleKey key, String component, boolean byDefault) {
        return configuration.override(key, component).orElse(byDefault ? configuration.number(key) : 0);
    }

    private static long setting(ExampleConfiguration configuration, ExampleKey key, String component) {
        return configuration.override(key, component).orElse(configuration.number(key));
    }
}
