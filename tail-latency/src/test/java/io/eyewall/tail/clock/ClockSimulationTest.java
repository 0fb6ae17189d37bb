package io.eyewall.tail.clock;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer over a simulated network with asymmetric delays, jitter, loss, and packets that come twice, late or from elsewhere, and with a
 * clock that runs fast or slow: whatever happens, the true offset lies within the published bound.
 */
class ClockSimulationTest {

    private static final long SECOND_NS = 1_000_000_000L;
    private static final long STEP_NS = 1_000_000;
    private static final long TOPOLOGY = 7;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldBoundTheTrueOffsetWhateverTheNetworkDoes(long seed) {
        Random random = new Random(seed);
        long aheadNs = (long) ((random.nextDouble() - 0.5) * 2e15);
        long driftPpm = random.nextInt(201) - 100L;
        long thereNs = 20_000L + random.nextInt(400_000);
        long backNs = 20_000L + random.nextInt(400_000);
        ClockExchange peer = new ClockExchange(InetSocketAddress.createUnresolved("peer", 1), random::nextLong, 0);
        ClockProbe previousAnswer = null;
        long worstErrorNs = 0;
        for (long nowNs = 0; nowNs < 120 * SECOND_NS; nowNs += STEP_NS) {
            if (peer.untilDueNs(nowNs) <= 0) {
                ClockProbe question = peer.ask(TOPOLOGY, nowNs);
                long receivedNs = nowNs + thereNs + jitterNs(random);
                long answeredNs = receivedNs + random.nextInt(30_000);
                ClockProbe answer = question.answered(other(receivedNs, aheadNs, driftPpm), other(answeredNs, aheadNs, driftPpm));
                long heardNs = answeredNs + backNs + jitterNs(random);
                assertFalse(peer.hear(question, heardNs), "a question that came back");
                assertFalse(peer.hear(new ClockProbe(true, TOPOLOGY, random.nextLong(), 1, 2), heardNs), "a stray answer");
                assertFalse(previousAnswer != null && peer.hear(previousAnswer, heardNs), "the answer to an earlier question");
                if (random.nextInt(10) < 7) {
                    assertTrue(peer.hear(answer, heardNs));
                    assertFalse(peer.hear(answer, heardNs + 1), "the same answer again");
                }
                previousAnswer = answer;
            }
            long readNs = nowNs + random.nextInt((int) STEP_NS);
            long errorNs = errorNs(peer, other(readNs, aheadNs, driftPpm) - readNs);
            if (nowNs > 10 * SECOND_NS) {
                worstErrorNs = Math.max(worstErrorNs, errorNs);
            }
        }
        assertTrue(peer.offset().isPresent());
        long mayBeNs = (thereNs + backNs) / 2 + 2_000_000;
        assertTrue(worstErrorNs < mayBeNs, "bound " + worstErrorNs + " although the round trip is " + (thereNs + backNs));
    }

    /** The published bound, which must hold the truth. */
    private static long errorNs(ClockExchange peer, long trueOffsetNs) {
        return peer.offset().map(offset -> {
            long missNs = Math.abs(offset.offsetNs() - trueOffsetNs);
            assertTrue(missNs <= offset.errorBoundNs(), "off by " + missNs + " with a bound of " + offset.errorBoundNs());
            return offset.errorBoundNs();
        }).orElse(0L);
    }

    /** The other clock. */
    private static long other(long timeNs, long aheadNs, long driftPpm) {
        return aheadNs + timeNs + timeNs / 1_000_000 * driftPpm + timeNs % 1_000_000 * driftPpm / 1_000_000;
    }

    /** Mostly short, now and then tens of milliseconds. */
    private static long jitterNs(Random random) {
        double exponential = -Math.log(1 - random.nextDouble());
        return (long) (exponential * (random.nextInt(20) == 0 ? 20_000_000 : 50_000));
    }
}
