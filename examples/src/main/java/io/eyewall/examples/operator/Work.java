package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKey;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;

/**
 * The cost of one message in one operator: arithmetic operations, milliseconds asleep, or both. Used by one thread.
 */
final class Work {

    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;

    private final long operations;
    private final long sleepMs;
    private final Clock clock;

    /** Each operation needs the result of the one before, and the last one is kept: none of them can be left out. */
    private long state;

    /**
     * The work of one component.
     *
     * @param byDefault whether the topology's own keys apply; otherwise only those that name the component
     */
    Work(ExampleConfiguration configuration, String component, boolean byDefault, Clock clock) {
        operations = cost(configuration, ExampleKeys.WORK_OPS, component, byDefault);
        sleepMs = cost(configuration, ExampleKeys.WORK_MS, component, byDefault);
        this.clock = clock;
        state = configuration.number(ExampleKeys.SEED);
    }

    /**
     * Does the work of one message and returns the arithmetic's result.
     */
    long perform() {
        long value = state;
        for (long operation = 0; operation < operations; operation++) {
            value = value * MULTIPLIER + INCREMENT;
        }
        state = value;
        if (sleepMs > 0) {
            clock.sleepMs(sleepMs);
        }
        return value;
    }

    private static long cost(ExampleConfiguration configuration, ExampleKey key, String component, boolean byDefault) {
        return configuration.override(key, component).orElse(byDefault ? configuration.number(key) : 0);
    }
}
