package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.examples.ManualClock;
import io.eyewall.examples.configuration.ExampleConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulatedWorkTest {

    private final ManualClock clock = new ManualClock(0, 0);

    @Test
    void shouldSleepAsLongAsConfiguredWhenItWorks() {
        work(Map.of("eyewall.work.ms", 3), true).perform();

        assertEquals(3_000_000, clock.nanoTime());
    }

    @Test
    void shouldDependOnEachOperationWhenItWorks() {
        SimulatedWork three = work(Map.of("eyewall.work.ops", 3, "eyewall.seed", 9), true);
        SimulatedWork one = work(Map.of("eyewall.work.ops", 1, "eyewall.seed", 9), true);
        one.perform();
        one.perform();

        assertEquals(one.perform(), three.perform());
        SimulatedWork fresh = work(Map.of("eyewall.work.ops", 1, "eyewall.seed", 1), true);
        assertEquals(6364136223846793005L + 1442695040888963407L, fresh.perform());
    }

    @Test
    void shouldCostNothingWhenTheOperatorDoesNotWorkByDefault() {
        assertEquals(1, work(Map.of("eyewall.work.ms", 3, "eyewall.work.ops", 1), false).perform());
        assertEquals(0, clock.nanoTime());
    }

    @Test
    void shouldPreferTheCostOfTheComponentWhenConfigured() {
        work(Map.of("eyewall.work.ms", 3, "eyewall.work.ms.join", 5), false).perform();

        assertEquals(5_000_000, clock.nanoTime());
    }

    @Test
    void shouldCostMoreWhenTheTaskIsSlow() {
        Map<String, Object> configuration = Map.of("eyewall.work.ms", 3, "eyewall.work.slow.factor", 4);
        work(configuration, 0, true).perform();
        assertEquals(12_000_000, clock.nanoTime());

        work(configuration, 1, true).perform();
        assertEquals(15_000_000, clock.nanoTime());
    }

    @Test
    void shouldWorkForTheLastOneOfSoManyMessagesWhenConfigured() {
        SimulatedWork work = work(Map.of("eyewall.work.ms", 3, "eyewall.work.every", 5, "eyewall.work.every.join", 3), true);
        work.perform();
        work.perform();
        assertEquals(0, clock.nanoTime());

        work.perform();
        assertEquals(3_000_000, clock.nanoTime());
        for (int message = 0; message < 3; message++) {
            work.perform();
        }
        assertEquals(6_000_000, clock.nanoTime());
    }

    @Test
    void shouldStallAtOnceAndAgainTenSecondsAfterTheStall() {
        SimulatedWork work = work(Map.of("eyewall.work.stall.sec", 40, "eyewall.work.ms", 5_000), true);
        work.perform();
        assertEquals(45, clock.nanoTime() / 1e9);

        work.perform();
        assertEquals(50, clock.nanoTime() / 1e9);
        work.perform();
        assertEquals(95, clock.nanoTime() / 1e9);
    }

    @Test
    void shouldMakeTheWorkerWithTheLastTaskSlow() {
        Set<Integer> all = Set.of(1, 2, 3, 4, 5);

        assertTrue(SimulatedWork.isSlowWorker(List.of(2, 5), all));
        assertFalse(SimulatedWork.isSlowWorker(List.of(1, 3, 4), all));
    }

    @Test
    void shouldVaryTheCostDifferentlyInEachTaskWhenConfigured() {
        Map<String, Object> configuration = Map.of("eyewall.work.ms", 2, "eyewall.work.varies", 1);
        int messages = 10_000;
        int above = 0;
        SimulatedWork work = work(configuration, 1, true);
        for (int i = 0; i < messages; i++) {
            long sinceNs = clock.nanoTime();
            work.perform();
            above += clock.nanoTime() - sinceNs > 4_000_000 ? 1 : 0;
        }

        assertEquals(2e6, clock.nanoTime() / (double) messages, 0.1e6, "the mean");
        assertEquals(Math.exp(-2), above / (double) messages, 0.01, "more than twice the mean");
        long sinceNs = clock.nanoTime();
        work(configuration, 1, true).perform();
        long firstNs = clock.nanoTime() - sinceNs;
        work(configuration, 1, true).perform();
        assertEquals(2 * firstNs, clock.nanoTime() - sinceNs, "the same seed, the same cost");
        work(configuration, 2, true).perform();
        assertNotEquals(3 * firstNs, clock.nanoTime() - sinceNs, "another task, another cost");
    }

    private SimulatedWork work(Map<String, Object> configuration, boolean byDefault) {
        return work(configuration, 1, byDefault);
    }

    private SimulatedWork work(Map<String, Object> configuration, int taskIndex, boolean byDefault) {
        return new SimulatedWork(new ExampleConfiguration(configuration), "join", taskIndex, taskIndex == 0, byDefault, clock);
    }
}
