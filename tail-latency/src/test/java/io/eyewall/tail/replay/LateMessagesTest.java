package io.eyewall.tail.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.tail.replay.LateMessages.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LateMessagesTest {

    private static final int SAMPLES = 10;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LATENCY_NS = 10 * MS;
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private long nowNs = 5;
    private final List<String> outcomes = new ArrayList<>();
    private final List<Long> cancelled = new ArrayList<>();
    private final List<Message> sent = new ArrayList<>();
    private final List<List<Object>> sentValues = new ArrayList<>();

    @Test
    void shouldSendALateMessageOnceMoreAndReportTheFirstAckOnly() {
        LateMessages messages = messages(1, 100);
        learn(messages);
        Message message = messages.emitting("stream", List.of("value"), "id");
        nowNs += LATENCY_NS / 2;
        replay(messages);
        assertEquals(List.of(), sent);

        nowNs += LATENCY_NS;
        replay(messages);
        assertEquals(List.of(message), sent);
        assertEquals(List.of(List.of("value")), sentValues);
        nowNs += 10 * LATENCY_NS;
        replay(messages);
        assertEquals(1, sent.size(), "one extra instance at most");

        messages.acked(message);
        messages.acked(message);
        assertEquals(List.of("ack id"), outcomes);
        assertEquals(1, messages.replayed());
    }

    @Test
    void shouldFailAMessageWhenItsLastInstanceHasFailed() {
        LateMessages messages = messages(1, 100);
        Message message = sentTwice(messages);

        messages.failed(message);
        assertEquals(List.of(), outcomes);
        messages.failed(message);
        assertEquals(List.of("fail id"), outcomes);
    }

    @Test
    void shouldCancelTheOtherInstancesWithTheAckAndNothingElse() {
        LateMessages messages = messages(1, 100);
        Message twice = sentTwice(messages);
        twice.sent(7);
        twice.sent(8);
        Message once = messages.emitting("stream", List.of(), "other");
        once.sent(9);

        messages.acked(once);
        assertEquals(List.of(), cancelled, "nothing is left of it");
        messages.acked(twice);
        messages.acked(twice);
        assertEquals(List.of(7L, 8L), cancelled);
    }

    @Test
    void shouldCancelNothingWhenNoInstanceIsAcked() {
        LateMessages messages = messages(1, 100);
        Message message = sentTwice(messages);
        message.sent(7);
        message.sent(8);
        messages.failed(message);
        messages.failed(message);

        assertEquals(List.of(), cancelled);
    }

    @Test
    void shouldIgnoreAFailAfterTheAckAndAnAckOfTheOtherInstanceAfterAFail() {
        LateMessages messages = messages(1, 100);
        Message message = sentTwice(messages);

        messages.failed(message);
        messages.acked(message);
        assertEquals(List.of("ack id"), outcomes);
    }

    @Test
    void shouldNotReplayWhatIsAckedOrFailed() {
        LateMessages messages = messages(1, 100);
        learn(messages);
        messages.acked(messages.emitting("stream", List.of(), "acked"));
        messages.failed(messages.emitting("stream", List.of(), "failed"));
        Message late = messages.emitting("stream", List.of(), "late");
        nowNs += 2 * LATENCY_NS;
        replay(messages);

        assertEquals(List.of(late), sent);
    }

    @Test
    void shouldSendASecondTimeAsLongAfterTheFirstWhenTwoAreAllowed() {
        LateMessages messages = messages(2, 100);
        learn(messages);
        Message message = messages.emitting("stream", List.of("value"), "id");
        nowNs += 2 * LATENCY_NS;
        replay(messages);
        replay(messages);
        assertEquals(List.of(message), sent);
        nowNs += 2 * LATENCY_NS;
        replay(messages);
        assertEquals(List.of(message, message), sent);
        assertEquals(List.of(List.of("value"), List.of("value")), sentValues);
    }

    @Test
    void shouldReplayTheOldestFirstAndNoMoreThanItMay() {
        LateMessages messages = messages(1, 20);
        learn(messages);
        List<Message> late = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            late.add(messages.emitting("stream", List.of(), i));
        }
        nowNs += 2 * LATENCY_NS;
        replay(messages);

        assertEquals(late.subList(0, 4), sent);
    }

    /**
     * A thousand messages per second: one in 22 takes 400 ms, another one 40 ms and all others 10 ms. Algorithm 1 says 10 ms, after which
     * 9 % are late; of these 5 % could be any.
     */
    @Test
    void shouldSpendWhatMayBeSentAgainOnTheLatest() {
        LateMessages messages = messages(1, 5, 1_000);
        PriorityQueue<Ending> endings = new PriorityQueue<>(Comparator.comparingLong(Ending::atNs));
        Set<Integer> latest = new TreeSet<>();
        Set<Integer> replayed = new TreeSet<>();
        long learntNs = 0;
        for (int ms = 0; ms < 10_000; ms++, nowNs += MS) {
            while (!endings.isEmpty() && endings.peek().atNs <= nowNs) {
                messages.acked(endings.remove().message);
            }
            Message message = messages.emitting("stream", List.of(ms), ms);
            endings.add(new Ending(nowNs + MS * (ms % 22 == 0 ? 400 : ms % 22 == 11 ? 40 : 10), message));
            messages.replay((stream, values, late) -> {
                replayed.add((Integer) values.get(0));
                endings.add(new Ending(nowNs + 10 * MS, late));
            });
            if (learntNs == 0 && messages.timeoutNs() != AdaptiveTimeout.NONE_NS) {
                learntNs = nowNs;
            }
            if (ms % 22 == 0 && learntNs > 0 && ms < 9_900) {
                latest.add(ms);
            }
        }

        assertTrue(latest.size() > 300, "nothing was late");
        replayed.removeIf(ms -> ms % 22 == 0 && !latest.contains(ms));
        assertEquals(latest, replayed);
    }

    @Property(tries = 300, seed = "7")
    void shouldReportOneOutcomeOfEveryMessageWhateverBecomesOfItsInstances(@ForAll Random random,
            @ForAll @IntRange(min = 1, max = 3) int most, @ForAll @IntRange(min = 1, max = 100) int percent) {
        LateMessages messages = messages(most, percent);
        Map<Message, String> ids = new HashMap<>();
        List<Message> underWay = new ArrayList<>();
        Map<String, Boolean> acked = new HashMap<>();
        Map<String, Integer> instances = new HashMap<>();
        Map<Long, String> roots = new HashMap<>();
        for (int step = 0; step < 2_000 || !underWay.isEmpty(); step++) {
            int choice = step < 2_000 ? random.nextInt(6) : 3 + random.nextInt(2);
            if (choice < 2) {
                String id = "message " + step;
                Message message = messages.emitting("stream", List.of(id), id);
                ids.put(message, id);
                underWay.add(message);
                instances.put(id, 1);
                message.sent(roots.size());
                roots.put((long) roots.size(), id);
            } else if (choice == 2) {
                nowNs += random.nextInt(50_000_000);
                messages.replay((stream, values, message) -> {
                    String id = ids.get(message);
                    assertEquals(List.of(id), values);
                    assertTrue(outcomes.stream().noneMatch(outcome -> outcome.endsWith(" " + id)), "replayed when it was over");
                    instances.merge(id, 1, Integer::sum);
                    underWay.add(message);
                    message.sent(roots.size());
                    roots.put((long) roots.size(), id);
                });
            } else if (!underWay.isEmpty()) {
                Message message = underWay.remove(random.nextInt(underWay.size()));
                if (choice == 3) {
                    messages.failed(message);
                } else {
                    boolean first = acked.put(ids.get(message), true) == null;
                    int before = outcomes.size();
                    messages.acked(message);
                    assertEquals(first ? before + 1 : before, outcomes.size());
                }
            }
        }

        assertEquals(ids.size(), outcomes.size());
        ids.values().forEach(id -> assertTrue(outcomes.contains((acked.containsKey(id) ? "ack " : "fail ") + id), id));
        instances.forEach((id, number) -> assertTrue(number <= 1 + most, id));
        cancelled.forEach(root -> assertTrue(acked.containsKey(roots.get(root)), "cancelled, but nothing else is acked"));
        assertEquals(cancelled.size(), cancelled.stream().distinct().count());
    }

    @Test
    void shouldForgetTheValuesOfWhatCannotBeSentAgain() {
        LateMessages messages = messages(1, 100);
        Message message = messages.emitting("stream", List.of("large"), "id");
        messages.acked(message);

        assertNull(message.values());
        assertEquals("id", message.toString());
    }

    /** A message that was late, so that there are two instances of it. */
    private Message sentTwice(LateMessages messages) {
        learn(messages);
        Message message = messages.emitting("stream", List.of(), "id");
        nowNs += 2 * LATENCY_NS;
        replay(messages);
        return message;
    }

    /** Has it choose the timeout {@link #LATENCY_NS}, or a little more, and begin a period in which nothing was emitted. */
    private void learn(LateMessages messages) {
        for (int i = 0; i < SAMPLES; i++) {
            Message message = messages.emitting("stream", List.of(), "first");
            nowNs += LATENCY_NS;
            messages.acked(message);
        }
        nowNs += PERIOD_NS;
        replay(messages);
        assertTrue(Math.abs(messages.timeoutNs() - LATENCY_NS) <= LATENCY_NS / 50);
        outcomes.clear();
    }

    private void replay(LateMessages messages) {
        messages.replay((stream, values, message) -> {
            sent.add(message);
            sentValues.add(values);
        });
    }

    private LateMessages messages(int most, int percent) {
        return messages(most, percent, SAMPLES);
    }

    private LateMessages messages(int most, int percent, int samples) {
        ReplayConfiguration configuration = new ReplayConfiguration(Map.of(ReplayConfiguration.SAMPLES, samples,
            ReplayConfiguration.REPLAYS, most, ReplayConfiguration.PERCENT, percent));
        outcomes.clear();
        cancelled.clear();
        return new LateMessages(configuration, () -> nowNs, new LateMessages.Outcome() {
            @Override
            public void acked(Object userId) {
                outcomes.add("ack " + userId);
            }

            @Override
            public void failed(Object userId) {
                outcomes.add("fail " + userId);
            }

            @Override
            public void cancelled(long root) {
                cancelled.add(root);
            }
        });
    }

    /** An instance will be complete. */
    private record Ending(long atNs, Message message) {
    }
}
