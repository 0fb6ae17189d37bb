package io.eyewall.scheduler.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.ExecutorCounters;
import io.eyewall.elasticity.measure.Input;
import io.eyewall.elasticity.model.Slot;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.junit.jupiter.api.Test;

class HeartbeatCountersTest {

    private static final int SECS = 7;

    private final StormFixture storm = new StormFixture("m1");
    private final FakeWorkers workers = new FakeWorkers(storm, 1_000);
    private final Slot slot = ClusterView.slot(storm.placement().values().iterator().next());

    @Test
    void shouldExtractTheCountsSinceTheStart() {
        Map<String, ExecutorCounters> byComponent = new HashMap<>();
        for (ExecutorCounters counters : afterSevenSeconds()) {
            byComponent.put(storm.componentOf(counters.executor().firstTask()), counters);
            assertEquals(workers.nowMs(), counters.timeMs());
            assertEquals(SECS * 1_000, counters.uptimeMs());
            assertEquals(0.05, counters.samplingRate());
        }

        assertEquals(1_000 * SECS, byComponent.get("source").emitted().get("default"));
        assertTrue(Double.isNaN(byComponent.get("source").busyMs()), "spouts do not report their busy time");
        assertEquals(Map.of(new Input("source", "default"), 400L * SECS), byComponent.get("work").executed(), "without ticks");
        assertEquals(1_000 * SECS, byComponent.get("work").busyMs(), 1e-6);
        assertEquals(100 * SECS, byComponent.get("sink").busyMs(), 1e-6);
    }

    @Test
    void shouldExtractNothingWhenAWorkerHasNotStartedItsExecutors() {
        assertEquals(List.of(), HeartbeatCounters.of(StormFixture.ID,
            new ClusterWorkerHeartbeat(StormFixture.ID, Collections.singletonMap(new ExecutorInfo(1, 1), null), 1_000, 0)));
    }

    @Test
    void shouldComputeTheStartTimeOfTheWorker() {
        afterSevenSeconds();

        assertEquals(1_000_000, HeartbeatCounters.startMs(workers.newest(StormFixture.ID, slot)));
    }

    private List<ExecutorCounters> afterSevenSeconds() {
        workers.newest(StormFixture.ID, slot);
        workers.sleep(SECS);
        return HeartbeatCounters.of(StormFixture.ID, workers.newest(StormFixture.ID, slot));
    }
}
