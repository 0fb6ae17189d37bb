package io.eyewall.client.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LocalSharesTest {

    private static final double NEARLY = 1e-7;
    private static final double THIRD = 1.0 / 3;

    @Test
    void shouldKeepAllWhenEachWorkerHasItsPartOfTheReceivers() {
        assertEquals(List.of(0.5, 0.5, 0.0, 0.0), LocalShares.of("a", List.of("a", "b"), List.of("a", "a", "b", "b")));
        assertEquals(List.of(0.0, 0.0, 0.5, 0.5), LocalShares.of("b", List.of("a", "b"), List.of("a", "a", "b", "b")));
    }

    @Test
    void shouldGiveReceiversInAWorkerWithoutSendersTheSameAsOthers() {
        assertShares(List.of(THIRD, THIRD, THIRD), LocalShares.of("a", List.of("a"), List.of("a", "a", "b")));
        assertShares(List.of(0.5, 0.0, 0.25, 0.25), LocalShares.of("a", List.of("a", "b"), List.of("a", "b", "c", "c")),
            "the other sender sends the other halves");
        assertShares(List.of(0.5, 0.0, 0.5), LocalShares.of("a", List.of("a", "a", "b"), List.of("a", "b", "c")));
    }

    @Test
    void shouldSendAllAwayWhenThereIsNoReceiver() {
        assertEquals(List.of(0.5, 0.5), LocalShares.of("a", List.of("a"), List.of("b", "c")));
    }

    @Test
    void shouldGiveEqualSharesWhenNoSenderIsThere() {
        assertEquals(List.of(0.5, 0.5), LocalShares.of("a", List.of("b"), List.of("b", "c")));
        assertEquals(List.of(0.5, 0.5), LocalShares.of("a", List.of(), List.of("a", "c")));
    }

    @Property(tries = 2_000)
    void shouldGiveEachReceiverTheSameAndKeepAsMuchAsThatAllows(@ForAll @Size(min = 1, max = 12) List<@IntRange(max = 4) Integer> senders,
            @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 4) Integer> receivers) {
        double[] received = new double[receivers.size()];
        double kept = 0;
        for (int sender : senders) {
            List<Double> shares = LocalShares.of(sender, senders, receivers);
            assertEquals(1, shares.stream().mapToDouble(Double::doubleValue).sum(), NEARLY);
            for (int receiver = 0; receiver < received.length; receiver++) {
                assertTrue(shares.get(receiver) >= 0);
                received[receiver] += shares.get(receiver) / senders.size();
                kept += receivers.get(receiver) == sender ? shares.get(receiver) / senders.size() : 0;
            }
        }
        for (double share : received) {
            assertEquals(1.0 / receivers.size(), share, NEARLY);
        }
        Set<Integer> workers = new TreeSet<>(senders);
        double most = workers.stream().mapToDouble(worker -> Math.min(part(worker, senders), part(worker, receivers))).sum();
        assertEquals(most, kept, NEARLY, "a worker keeps no more than its senders send, and no more than its receivers are to get");
    }

    private static double part(int worker, List<Integer> of) {
        return Collections.frequency(of, worker) / (double) of.size();
    }

    private static void assertShares(List<Double> expected, List<Double> shares) {
        assertShares(expected, shares, "");
    }

    private static void assertShares(List<Double> expected, List<Double> shares, String message) {
        assertEquals(expected.size(), shares.size());
        for (int receiver = 0; receiver < shares.size(); receiver++) {
            assertEquals(expected.get(receiver), shares.get(receiver), NEARLY, message);
        }
    }
}
