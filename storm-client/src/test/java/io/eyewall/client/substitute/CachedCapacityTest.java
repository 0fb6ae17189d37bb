package io.eyewall.client.substitute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.storm.stats.BoltExecutorStats;
import org.junit.jupiter.api.Test;

class CachedCapacityTest {

    private static final List<String> STREAM = List.of("words", "default");
    private static final double DELTA = 1e-9;

    @Test
    void shouldBeDueEverMoreRarelyWithinASecondAndAtOnceInTheNext() {
        CachedCapacity memory = new CachedCapacity();
        assertEquals(List.of(1, 2, 4, 8, 16), IntStream.rangeClosed(1, 20).filter(sample -> memory.isDue(7)).boxed().toList());
        assertEquals(List.of(1, 2, 4), IntStream.rangeClosed(1, 7).filter(sample -> memory.isDue(8)).boxed().toList());
    }

    @Test
    @SuppressWarnings("unchecked")
    void shouldLetUpstreamWorkOutTheCapacityWhenItIsDue() throws Exception {
        BoltExecutorStats stats = new BoltExecutorStats(1, 20);
        Method capacity = BoltExecutorStats.class.getDeclaredMethod("calculateCapacity", long.class);
        capacity.setAccessible(true);
        stats.getExecuteLatencies().record(STREAM, 1_000L);
        for (int executed = 1; executed <= 5; executed++) {
            stats.getExecuted().incBy(STREAM, 1);
            assertEquals(executed == 3 ? 0.2 : executed == 5 ? 0.4 : 0.1 * executed, (double) capacity.invoke(stats, 10L), DELTA);
        }
        assertEquals(5 / 11.0, (double) capacity.invoke(stats, 11L), DELTA);
    }
}
