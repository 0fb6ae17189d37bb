package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an ack costs in memory: its 16 bytes of a batch, and nothing where it arrives. */
class AllocationTest {

    private static final int ACKS = 200_000;
    private static final int PENDING = 1_000;
    private static final double ENTRY_BYTES = 2 * Long.BYTES;
    /** Two objects around the entries of a full batch. */
    private static final double BATCH_BYTES = 48;
    /** What the measurement itself allocates, spread over all acks. */
    private static final double TOLERANCE_BYTES = 0.5;

    /** Where a batch is put so that it cannot be optimized away. */
    private static volatile AckBatch sent;

    @Test
    void shouldAllocateNothingInTheLedger() {
        Ledger<String> ledger = new Ledger<>();
        RootIds ids = new RootIds(1, 0);
        for (int i = 0; i < PENDING; i++) {
            ledger.open(ids.next(), 3, "message");
        }
        RootIds settled = new RootIds(1, 0);
        assertEquals(0, bytesOf(() -> {
            long root = settled.next();
            ledger.open(ids.next(), 3, "message");
            ledger.settle(root, 1);
            ledger.settle(root, 2);
        }), TOLERANCE_BYTES);
        assertEquals(PENDING, ledger.size());
    }

    @Test
    void shouldAllocateTheEntriesOfBatchesInTheOutbox() {
        RootIds ids = new RootIds(1, 0);
        AckOutbox outbox = new AckOutbox(Set.of(1), System::nanoTime, (task, batch) -> sent = batch);
        double bytes = bytesOf(() -> outbox.ack(ids.next(), 1));
        assertTrue(bytes <= ENTRY_BYTES + BATCH_BYTES / AckOutbox.BATCH + TOLERANCE_BYTES, "bytes of an ack: " + bytes);
        assertTrue(sent.size() > 0);
    }

    /** The bytes that one run allocates in the mean, once it has run often. */
    private static double bytesOf(Runnable perAck) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < ACKS; i++) {
            perAck.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ACKS; i++) {
            perAck.run();
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / (double) ACKS;
    }
}
