package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.acking.AckHistory.Event;
import io.eyewall.client.acking.AckHistory.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.storm.executor.TupleInfo;
import org.junit.jupiter.api.Test;

/** The ledger and upstream's own acker hear the same of random trees of tuples: the spout gets the same acks, fails and timeouts. */
class LedgerAgainstAckerTest {

    private static final int SPOUT_TASK = 3;

    /** Everything comes in the order in which it happened, acks and fails may be doubled. */
    @Property(tries = 500)
    void shouldSettleTheSameInTheSameOrder(@ForAll Random random, @ForAll @IntRange(min = 1, max = 60) int messages) {
        List<List<Event>> history = AckHistory.random(random, SPOUT_TASK, messages, true);
        assertEquals(timeoutsSorted(byAcker(history)), timeoutsSorted(byLedger(history)));
    }

    /** Messages overtake each other between two ticks, and the acker's own, which the ledger does not need, is among them. */
    @Property(tries = 500)
    void shouldSettleTheSameWhenMessagesOvertakeEachOther(@ForAll Random random, @ForAll @IntRange(min = 1, max = 60) int messages) {
        List<List<Event>> history = AckHistory.random(random, SPOUT_TASK, messages, false);
        List<List<Event>> emitsFirst = AckHistory.shuffled(history, random).stream().map(span -> Stream.concat(
            span.stream().filter(event -> event.kind() == Kind.EMIT),
            span.stream().filter(event -> event.kind() != Kind.EMIT)).toList()).toList();
        assertEquals(sorted(byAcker(AckHistory.shuffled(history, random))), sorted(byLedger(emitsFirst)));
    }

    /** The properties would hold for histories in which nothing happens. */
    @Test
    void shouldMeetEveryOutcomeInTheHistories() {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int seed = 0; seed < 20; seed++) {
            byAcker(AckHistory.random(new Random(seed), SPOUT_TASK, 60, seed % 2 == 0)).forEach(span ->
                span.forEach(line -> outcomes.merge(line.replaceAll(" \\d+", ""), 1, Integer::sum)));
        }
        assertEquals(Set.of("acked", "failed", "timed out"), outcomes.keySet());
        assertTrue(outcomes.values().stream().allMatch(times -> times > 100), outcomes.toString());
    }

    /** The outcomes of each span. */
    private static List<List<String>> byAcker(List<List<Event>> history) {
        List<List<String>> outcomes = new ArrayList<>();
        UpstreamAcking acking = new UpstreamAcking(SPOUT_TASK);
        for (List<Event> span : history) {
            span.forEach(acking::hear);
            acking.tick();
            outcomes.add(acking.takeOutcomes());
        }
        return outcomes;
    }

    private static List<List<String>> byLedger(List<List<Event>> history) {
        List<List<String>> outcomes = new ArrayList<>();
        List<String> said = new ArrayList<>();
        PendingMessages pending = new PendingMessages((root, message) -> said.add("timed out " + root), new PendingMessages.Outcome() {
            @Override
            public void acked(TupleInfo message) {
                said.add("acked " + message.getRootId());
            }

            @Override
            public void failed(TupleInfo message) {
                said.add("failed " + message.getRootId());
            }
        });
        AckOutbox outbox = new AckOutbox(Set.of(SPOUT_TASK), () -> 0, (task, batch) -> pending.apply(batch));
        for (List<Event> span : history) {
            span.forEach(event -> hear(event, pending, outbox));
            outbox.flush();
            pending.rotate();
            outcomes.add(List.copyOf(said));
            said.clear();
        }
        return outcomes;
    }

    private static void hear(Event event, PendingMessages pending, AckOutbox outbox) {
        switch (event.kind()) {
            case EMIT -> {
                pending.emitted(UpstreamAcking.message(event.root(), SPOUT_TASK), event.value());
                if (event.value() == 0) {
                    outbox.ack(event.root(), 0);
                }
            }
            case ACK -> outbox.ack(event.root(), event.value());
            case FAIL -> outbox.fail(event.root());
            case RESET_TIMEOUT -> outbox.resetTimeout(event.root());
            default -> throw new IllegalStateException(event.toString());
        }
    }

    /** Messages of which the time is over together come out of the map in no order. */
    private static List<List<String>> timeoutsSorted(List<List<String>> outcomes) {
        return outcomes.stream().map(span -> Stream.concat(
            span.stream().filter(line -> !line.startsWith("timed out")),
            span.stream().filter(line -> line.startsWith("timed out")).sorted()).toList()).toList();
    }

    private static List<List<String>> sorted(List<List<String>> outcomes) {
        return outcomes.stream().map(span -> span.stream().sorted(Comparator.naturalOrder()).toList()).toList();
    }
}
