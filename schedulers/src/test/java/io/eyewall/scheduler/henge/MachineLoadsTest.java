package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MachineLoadsTest {

    private static final URI FIRST = WorkerPageReader.uri("m1", 16_700, "/host");
    private static final URI SECOND = WorkerPageReader.uri("m1", 16_701, "/host");

    private final MachineLoads loads = new MachineLoads(60_000);
    private long nowMs = 1_000_000;

    @Test
    void shouldShowTheMeanSinceTheFirstRead() {
        assertEquals(known(0.5), after(0, "0.5 5000 90000"), "the worker's own load, when nothing was read before");
        assertEquals(known(0.2), after(10, "0.9 7000 100000"));
        assertEquals(known(0.6), after(10, "0.1 17000 110000"));
    }

    @Test
    void shouldShowTheMeanOfHalfTheTimeToSettleToAllOfIt() {
        // The share of 10 s that was busy goes from 0 to 1 again and again, in 1000 rounds.
        long[] busyMs = new long[1_001];
        for (int round = 0; round < busyMs.length - 1; round++) {
            busyMs[round + 1] = busyMs[round] + round * 700L % 10_000;
        }
        for (int round = 0; round < busyMs.length; round++) {
            double load = after(10, "0.5 " + busyMs[round] + " " + round * 10_000L).getOrDefault("m1", Double.NaN);
            int last = round;
            assertTrue(round < 6 || IntStream.rangeClosed(3, 6).anyMatch(rounds ->
                Math.abs(load - (busyMs[last] - busyMs[last - rounds]) / (rounds * 10_000.0)) < 1e-9), load + " in round " + round);
        }
    }

    @Test
    void shouldNotShowTheLoadOfAMoment() {
        after(0, "0.5 5000 90000");
        assertEquals(known(0.5), after(0, "1.0 5010 90010"));
        assertEquals(known(0.1), after(1, "1.0 5100 91000"));
    }

    @Test
    void shouldMeasureAWorkerThatHasStartedAgainFromItsStart() {
        after(0, "0.5 5000 90000");
        assertEquals(known(0.2), after(10, "0.9 7000 100000"));
        assertEquals(known(0.75), after(10, "0.9 3000 4000"));
        assertEquals(known(0.5), after(10, "0.9 7000 14000"));
        for (int secs = 10; secs <= 300; secs += 10) {
            double load = after(10, "0.9 " + (7_000 + 900 * secs) + " " + (14_000 + 1_000 * secs)).get("m1");
            assertTrue(secs > 20 || Math.abs(load - (7.0 + 0.9 * secs) / (14 + secs)) < 1e-9, load + " after " + secs + " s");
            assertTrue(secs < 60 || Math.abs(load - 0.9) < 1e-9, load + " after " + secs + " s");
        }
        assertEquals(known(0.25), after(10, "0.25 10 20"), "too short for a mean");
    }

    @Test
    void shouldShowTheLoadThatWorkersOfEarlierVersionsReport() {
        assertEquals(known(0.25), after(0, "0.25"));
        assertEquals(known(0.75), after(10, "0.75"));
        assertEquals(Map.of(), after(10, "unknown"));
        assertEquals(known(0.5), after(10, "0.5 1000 2000"), "a worker that replaces it");
        assertEquals(known(0.1), after(10, "0.9 2000 12000"));
        assertEquals(known(1), after(10, "1.0"));
        assertEquals(known(0.5), after(10, "0.5 3000 22000"), "nothing of before");
    }

    @Test
    void shouldBeginAnewWithThePageOfAnotherWorker() {
        after(0, "0.5 1000 2000");
        assertEquals(known(0.5), loads.of(Map.of("m1", SECOND), Map.of(SECOND, "eyewall-host 1 0.5 9000 90000\n"), nowMs));
        assertEquals(known(0.75), after(10, "0.75 9000 12000"));
    }

    @Test
    void shouldShowNoLoadThatIsUnknown() {
        assertEquals(Map.of(), after(0, "unknown 0 0"));
        assertEquals(Map.of(), after(10, "unknown 0 0"));
        assertEquals(known(0.5), after(10, "unknown 2000 4000"));
        for (String wrong : new String[] {"", "7", "-1", "NaN", "x", "0.5 1000", "0.5 1 x", "0.5 1000 2000 3000"}) {
            assertEquals(Map.of(), after(10, wrong), wrong);
        }
        assertEquals(Map.of(), loads.of(Map.of("m1", FIRST), Map.of(FIRST, "eyewall-host 2 0.5\n"), nowMs));
        assertEquals(Map.of(), loads.of(Map.of("m1", FIRST), Map.of(), nowMs));
    }

    @Test
    void shouldShowTheLastLoadForHalfAMinuteIfThePageCannotBeRead() {
        after(0, "0.5 5000 90000");
        assertEquals(known(0.2), after(10, "0.9 7000 100000"));
        assertEquals(known(0.2), loads.of(Map.of("m1", FIRST), Map.of(), nowMs + 30_000));
        assertEquals(Map.of(), loads.of(Map.of("m1", FIRST), Map.of(), nowMs + 30_001));
        assertEquals(known(0.4), after(40, "0.9 25000 140000"), "the mean goes on: 20 of 50 s");
        assertEquals(Map.of(), loads.of(Map.of("m1", SECOND), Map.of(), nowMs), "the page of another worker");
    }

    private static Map<String, Double> known(double load) {
        return Map.of("m1", load);
    }

    private Map<String, Double> after(int secs, String fields) {
        nowMs += secs * 1_000L;
        return loads.of(Map.of("m1", FIRST), Map.of(FIRST, "eyewall-host 1 " + fields + "\n"), nowMs);
    }
}
