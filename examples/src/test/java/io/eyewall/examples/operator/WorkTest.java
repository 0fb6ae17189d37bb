package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.examples.ManualClock;
import io.eyewall.examples.configuration.ExampleConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkTest {

    private final ManualClock clock = new ManualClock(0, 0);

    @Test
    void shouldSleepAsLongAsConfiguredWhenItWorks() {
        work(Map.of("eyewall.work.ms", 3), true).perform();

        assertEquals(3_000_000, clock.nanoTime());
    }

    @Test
    void shouldDoTheOperationsOneAfterTheOtherWhenItWorks() {
        Work three = work(Map.of("eyewall.work.ops", 3, "eyewall.seed", 9), true);
        Work one = work(Map.of("eyewall.work.ops", 1, "eyewall.seed", 9), true);
        one.perform();
        one.perform();

        assertEquals(one.perform(), three.perform());
        Work fresh = work(Map.of("eyewall.work.ops", 1, "eyewall.seed", 1), true);
        assertEquals(6364136223846793005L + 1442695040888963407L, fresh.perform());
    }

    @Test
    void shouldCostNothingWhenTheOperatorDoesNotWorkByDefault() {
        assertEquals(1, work(Map.of("eyewall.work.ms", 3, "eyewall.work.ops", 1), false).perform());
        assertEquals(0, clock.nanoTime());
    }

    @Test
    void shouldPreferTheComponentsOwnCostWhenThereIsOne() {
        work(Map.of("eyewall.work.ms", 3, "eyewall.work.ms.join", 5), false).perform();

        assertEquals(5_000_000, clock.nanoTime());
    }

    private Work work(Map<String, Object> configuration, boolean byDefault) {
        return new Work(new ExampleConfiguration(configuration), "join", byDefault, clock);
    }
}
