package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AckOutboxTest {

    private final List<String> sent = new ArrayList<>();
    private final RootIds first = new RootIds(3, 100);
    private final RootIds second = new RootIds(8, 200);
    private long nowNs = -5;
    private final AckOutbox outbox = new AckOutbox(Set.of(3, 8), () -> nowNs, (task, batch) -> sent.add(task + ": " + batch.size()));

    @Test
    void shouldSendABatchToEachSpoutTaskWhenTheInputRunsDry() {
        outbox.ack(first.next(), 1);
        outbox.ack(second.next(), 2);
        outbox.fail(first.next());
        assertEquals(List.of(), sent);
        outbox.flush();
        assertEquals(List.of("3: 2", "8: 1"), sent);
        outbox.flush();
        assertEquals(2, sent.size());
    }

    @Test
    void shouldSendAFullBufferAtOnce() {
        IntStream.range(0, 2 * AckOutbox.BATCH + 1).forEach(i -> outbox.ack(first.next(), i));
        assertEquals(List.of("3: " + AckOutbox.BATCH, "3: " + AckOutbox.BATCH), sent);
        outbox.flush();
        assertEquals("3: 1", sent.get(2));
    }

    @Test
    void shouldNotHoldAnAckWhileASlowBoltGoesOn() {
        outbox.ack(first.next(), 1);
        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        outbox.ack(second.next(), 2);
        assertEquals(List.of("3: 1", "8: 1"), sent);
        outbox.ack(second.next(), 2);
        assertEquals(2, sent.size());
    }

    @Test
    void shouldSendEachAckAtOnceAsLongAsABoltIsSlow() {
        outbox.ack(first.next(), 1);
        for (int i = 0; i < 3; i++) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(1);
            outbox.ack(first.next(), 2);
        }
        assertEquals(List.of("3: 2", "3: 1", "3: 1"), sent);
        nowNs += TimeUnit.MICROSECONDS.toNanos(100);
        outbox.ack(first.next(), 3);
        assertEquals(3, sent.size());
        outbox.flush();
        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        outbox.ack(first.next(), 4);
        assertEquals(4, sent.size());
    }

    @Test
    void shouldHoldAcksAgainWhenABoltThatHasMuchToDoHasFlushedByTime() {
        for (int i = 0; i < 32; i++) {
            nowNs += TimeUnit.MICROSECONDS.toNanos(20);
            outbox.ack(first.next(), i);
        }
        assertEquals(List.of("3: 32"), sent);
        nowNs += TimeUnit.MICROSECONDS.toNanos(20);
        outbox.ack(first.next(), 32);
        assertEquals(1, sent.size());
    }

    @Test
    void shouldHoldAnAckForAFewTuplesAtMostWhenABoltBecomesSlow() {
        IntStream.range(0, 20).forEach(i -> outbox.ack(first.next(), i));
        assertEquals(List.of(), sent);
        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        IntStream.range(0, 8).forEach(i -> outbox.ack(first.next(), i));
        assertEquals(List.of("3: 24"), sent);
    }

    @Test
    void shouldSendWhatABoltAckedInAGroupWhileLaterTuplesAckNothing() {
        IntStream.range(0, 20).forEach(i -> outbox.ack(first.next(), i));
        outbox.executed();
        nowNs += TimeUnit.MICROSECONDS.toNanos(400);
        outbox.executed();
        assertEquals(List.of(), sent);
        nowNs += TimeUnit.MICROSECONDS.toNanos(101);
        outbox.executed();
        assertEquals(List.of("3: 20"), sent);
    }

    @Test
    void shouldNotReadTheClockBehindATupleWhenNothingWaits() {
        int[] reads = {0};
        AckOutbox counting = new AckOutbox(Set.of(3), () -> ++reads[0], (task, batch) -> { });
        counting.executed();
        counting.ack(first.next(), 1);
        counting.executed();
        assertEquals(1, reads[0]);
        counting.flush();
        counting.executed();
        assertEquals(1, reads[0]);
    }

    @Test
    void shouldKeepTheOrderAndTheKind() {
        List<AckBatch> batches = new ArrayList<>();
        AckOutbox kinds = new AckOutbox(Set.of(3), () -> 0, (task, batch) -> batches.add(batch));
        long root = first.next();
        kinds.ack(root, 7);
        kinds.ack(root, 7);
        kinds.resetTimeout(root);
        kinds.fail(root);
        kinds.flush();
        AckBatch batch = batches.get(0);
        assertEquals(List.of(AckBatch.ACK, AckBatch.ACK, AckBatch.RESET_TIMEOUT, AckBatch.FAIL),
            IntStream.range(0, batch.size()).mapToObj(batch::kind).toList());
        IntStream.range(0, batch.size()).forEach(i -> assertEquals(root, batch.root(i)));
        assertEquals(List.of(7L, 7L, 0L, 0L), IntStream.range(0, batch.size()).mapToObj(batch::value).toList());
    }

    @Test
    void shouldSendWithoutWaitingWhenAnotherThreadAcks() {
        outbox.ack(first.next(), 1);
        outbox.sendAlone(second.next() | AckBatch.FAIL, 0);
        assertEquals(List.of("8: 1"), sent);
    }

    @Test
    void shouldDropWhatIsForNoSpoutTask() {
        long ofABolt = new RootIds(5, 0).next();
        long ofNoTask = -1L & ~RootIds.FREE_BITS;
        outbox.ack(ofABolt, 1);
        outbox.fail(ofNoTask);
        outbox.resetTimeout(ofNoTask);
        outbox.sendAlone(ofNoTask, 1);
        outbox.flush();
        assertEquals(List.of(), sent);
    }
}
