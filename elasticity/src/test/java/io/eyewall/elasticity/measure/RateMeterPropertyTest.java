package io.eyewall.elasticity.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RateMeterPropertyTest {

    private static final ExecutorId BOLT = new ExecutorId("t", 1, 1);
    private static final TopologyGraph GRAPH = new TopologyGraph("t", List.of(new Component("spout", 2, 2), new Component("bolt", 1, 1)),
        List.of(new Link("spout", "default", "bolt", 1)));

    @Property(tries = 500)
    void shouldFindTheRateWhenHeartbeatsAreLostDoubledOrLateAndWorkersRestart(@ForAll @IntRange(min = 1, max = 1_000) int ratePerSec,
            @ForAll long seed) {
        Random random = new Random(seed);
        List<ExecutorCounters> heartbeats = heartbeats(ratePerSec, random);
        RateMeter statistics = new RateMeter();
        ExecutorCounters newest = heartbeats.get(0);
        for (int i = 0; i < heartbeats.size(); i++) {
            if (random.nextInt(5) == 0) {
                continue;
            }
            ExecutorCounters heartbeat = heartbeats.get(i);
            statistics.record(heartbeat);
            newest = heartbeat;
            if (random.nextInt(5) == 0) {
                statistics.record(heartbeats.get(Math.max(0, i - random.nextInt(4))));
            }
        }

        TopologyRates rates = statistics.rates(GRAPH, List.of(BOLT), newest.timeMs());

        if (rates.executors().containsKey(BOLT)) {
            assertEquals(ratePerSec, rates.executors().get(BOLT).executedPerSec(), 1e-6 * ratePerSec);
            assertEquals(2.0 * ratePerSec, rates.executors().get(BOLT).emittedPerSec(), 2e-6 * ratePerSec);
            assertEquals(0.25, rates.executors().get(BOLT).utilisation(), 1e-6);
        }
    }

    /** Heartbeats every 3 s for about 5 minutes, from a bolt that restarts sometimes and is then down for up to 20 s. */
    private static List<ExecutorCounters> heartbeats(int ratePerSec, Random random) {
        List<ExecutorCounters> heartbeats = new ArrayList<>();
        long startMs = 0;
        for (long timeMs = 3_000; timeMs < 300_000; timeMs += 3_000) {
            if (random.nextInt(20) == 0) {
                startMs = timeMs + 1_000L * random.nextInt(20);
                timeMs = startMs + 3_000;
            }
            long uptimeMs = timeMs - startMs;
            long executed = ratePerSec * uptimeMs / 1_000;
            heartbeats.add(new ExecutorCounters(BOLT, timeMs, uptimeMs, Map.of("default", 2 * executed),
                Map.of(new Input("spout", "default"), executed), uptimeMs / 4.0, 1));
        }
        return heartbeats;
    }
}
