package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.elasticity.model.Slot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.SpoutStats;
import org.junit.jupiter.api.Test;

class HeartbeatNotesTest {

    private static final String TOPOLOGY = "orders-1-1";
    private static final Slot STEADY = new Slot("m1", 6_700);
    private static final Slot RESTARTED = new Slot("m2", 6_700);
    private static final int ROUND_SECS = 10;
    private static final long PER_ROUND = 100;

    /** What the spout of each worker has completed since the worker started. */
    private final Map<Slot, Spout> spouts = new HashMap<>();
    private int nowSecs = 1_000_000;
    private final HeartbeatNotes notes = new HeartbeatNotes((topologyId, slot) -> heartbeat(spouts.get(slot)), () -> nowSecs * 1_000L);

    @Test
    void shouldMeasureTheWindowOfAWorkerThatRunsOnWhileAnotherRestarts() {
        spouts.put(STEADY, new Spout(10_000_000, 50_000_000));
        spouts.put(RESTARTED, new Spout(10_000_000, 50_000_000));
        for (int round = 0; round < 30; round++) {
            assertEquals(round == 0 ? OptionalDouble.empty() : OptionalDouble.of(5), afterRound(5, 5));
        }

        spouts.put(RESTARTED, new Spout(0, 0));
        for (int round = 1; round <= 30; round++) {
            double latencyMs = afterRound(50, 50).orElseThrow();
            if (round == 1) {
                // What the steady worker completed before the restart is in the window for up to two minutes.
                assertEquals(true, latencyMs > 5 && latencyMs < 50, "latency " + latencyMs);
            } else if (round > 12) {
                assertEquals(50, latencyMs, 1e-3, "round " + round);
            } else {
                assertEquals(true, latencyMs >= 12, "latency " + latencyMs + " in round " + round);
            }
        }
    }

    @Test
    void shouldWeighWorkersByTheirMessages() {
        spouts.put(STEADY, new Spout(7, 7_000));
        spouts.put(RESTARTED, new Spout(0, 0));
        afterRound(10, 10);
        spouts.get(STEADY).complete(300, 10);
        spouts.get(RESTARTED).complete(100, 50);
        assertEquals(20, measure().orElseThrow(), 1e-6);

        notes.restartWindow(TOPOLOGY);
        assertEquals(OptionalDouble.empty(), measure());
        assertEquals(40, afterRound(30, 50).orElseThrow(), 1e-6);
        notes.retain(Set.of(STEADY), TOPOLOGY::equals);
        assertEquals(30, afterRound(30, 50).orElseThrow(), 1e-6, "the other worker has a new window");
    }

    private OptionalDouble afterRound(double steadyMs, double restartedMs) {
        nowSecs += ROUND_SECS;
        spouts.get(STEADY).complete(PER_ROUND, steadyMs);
        spouts.get(RESTARTED).complete(PER_ROUND, restartedMs);
        return measure();
    }

    private OptionalDouble measure() {
        spouts.keySet().forEach(slot -> notes.newest(TOPOLOGY, slot));
        return notes.completeLatencyMs(TOPOLOGY, List.of(STEADY, RESTARTED, STEADY));
    }

    private ClusterWorkerHeartbeat heartbeat(Spout spout) {
        SpoutStats stats = new SpoutStats(Map.of(":all-time", Map.of("default", spout.messages)), Map.of(),
            Map.of(":all-time", Map.of("default", spout.messages == 0 ? 0 : spout.latencyMs / spout.messages)));
        return new ClusterWorkerHeartbeat(TOPOLOGY,
            Map.of(new ExecutorInfo(1, 1), new ExecutorStats(Map.of(), Map.of(), ExecutorSpecificStats.spout(stats), 1)), nowSecs, 1);
    }

    private static final class Spout {

        private long messages;
        private double latencyMs;

        Spout(long messages, double latencyMs) {
            this.messages = messages;
            this.latencyMs = latencyMs;
        }

        void complete(long count, double eachMs) {
            messages += count;
            latencyMs += count * eachMs;
        }
    }
}
