package io.eyewall.client.acking;

import io.eyewall.client.time.NanoClock;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/**
 * The acks of one bolt executor that wait to be sent, in a buffer for each spout task. A buffer is sent when it is full. All buffers are
 * sent when the executor's input runs dry, and when an entry is older than {@value #HELD_AT_MOST_US} us while tuples keep coming. In the
 * latter case each further entry is sent at once until two of them come closer together, so that a slow bolt does not hold back the acks of
 * one tuple while it executes the next. A bolt that acks in groups adds nothing for many tuples, so the age is checked {@linkplain
 * #executed() behind each tuple} as well.
 *
 * <p>Used by the executor's thread, except {@link #sendAlone}. Allocates nothing except the batches that it sends.
 *
 * <p>Acks of one root are not added up here: a tuple that is acked twice would take itself out, where upstream's acker finds the tree
 * complete at the first ack and ignores the second.
 */
final class AckOutbox {

    /** How many entries a batch has at most. */
    static final int BATCH = 64;

    private static final long HELD_AT_MOST_US = 500;
    private static final long HELD_AT_MOST_NS = TimeUnit.MICROSECONDS.toNanos(HELD_AT_MOST_US);
    /** The clock is read at the first few entries, in case the bolt is slow, and below, how many entries lie between two later reads. */
    private static final int CLOCK_AT_FIRST = 4;
    private static final int CLOCK_EVERY = 8;

    private final NanoClock clock;
    private final Sender sender;
    /** By task id; null for tasks that are not a spout's. */
    private final Buffer[] bufferOfTask;
    /** The buffers that got an entry since the last flush, in no order. */
    private final Buffer[] touched;
    private int touchedCount;

    /**
     * How many entries came since the last flush, and below, when the first of them came; if none came, when the entry came that caused the
     * flush.
     */
    private int entries;
    private long sinceNs;
    /** The value of {@link #entries} when the last tuple had been executed. */
    private int entriesBefore;
    /** Whether the last entries came at an interval longer than an entry may be held. */
    private boolean slow;

    /**
     * Starts empty.
     *
     * @param spoutTasks all spout tasks of the topology
     * @param clock measures how long acks have been held
     * @param sender sends the batches
     */
    AckOutbox(Collection<Integer> spoutTasks, NanoClock clock, Sender sender) {
        this.clock = clock;
        this.sender = sender;
        bufferOfTask = new Buffer[spoutTasks.stream().mapToInt(task -> task + 1).max().orElse(0)];
        spoutTasks.forEach(task -> bufferOfTask[task] = new Buffer(task));
        touched = new Buffer[spoutTasks.size()];
    }

    /** Removes {@code value} from the outstanding tuples of a root, as XOR. */
    void ack(long root, long value) {
        add(bufferOf(root), root | AckBatch.ACK, value);
    }

    void fail(long root) {
        add(bufferOf(root), root | AckBatch.FAIL, 0);
    }

    void resetTimeout(long root) {
        add(bufferOf(root), root | AckBatch.RESET_TIMEOUT, 0);
    }

    /** Called when a tuple has been executed. Sends all entries that wait if the tuple added none and the oldest entry is too old. */
    void executed() {
        if (entries != 0 && entries == entriesBefore && clock.nanoTime() - sinceNs > HELD_AT_MOST_NS) {
            flush();
        }
        entriesBefore = entries;
    }

    /** Sends all entries that wait. */
    void flush() {
        for (int i = 0; i < touchedCount; i++) {
            Buffer buffer = touched[i];
            buffer.touched = false;
            send(buffer);
        }
        touchedCount = 0;
        entries = 0;
    }

    /** Sends one entry at once: a root with its kind, and the XOR of an ack or else 0. Safe for any thread if the sender is. */
    void sendAlone(long entry, long value) {
        if (bufferOf(entry) != null) {
            sender.send(RootIds.taskOf(entry), AckBatch.of(entry, value));
        }
    }

    /** The buffer for a root's spout task; null for a root that no ledger has made, such as one of a worker with ackers. */
    private Buffer bufferOf(long root) {
        int task = RootIds.taskOf(root);
        return task < bufferOfTask.length ? bufferOfTask[task] : null;
    }

    private void add(Buffer buffer, long entry, long value) {
        if (buffer == null) {
            return;
        }
        buffer.add(entry, value);
        if (!buffer.touched) {
            buffer.touched = true;
            touched[touchedCount++] = buffer;
        }
        entries++;
        if (entries < CLOCK_AT_FIRST || entries % CLOCK_EVERY == 0) {
            long nowNs = clock.nanoTime();
            boolean late = nowNs - sinceNs > HELD_AT_MOST_NS;
            slow = late && (slow || entries > 1);
            if (late || entries == 1) {
                sinceNs = nowNs;
            }
        }
        if (slow) {
            flush();
        } else if (buffer.isFull()) {
            send(buffer);
        }
    }

    private void send(Buffer buffer) {
        if (buffer.length > 0) {
            AckBatch batch = AckBatch.copyOf(buffer.entries, buffer.length);
            buffer.length = 0;
            sender.send(buffer.spoutTask, batch);
        }
    }

    /** Sends a batch to the ledger of a spout task. */
    @FunctionalInterface
    interface Sender {
        void send(int spoutTask, AckBatch batch);
    }

    private static final class Buffer {
        private final int spoutTask;
        private final long[] entries = new long[2 * BATCH];
        private int length;
        private boolean touched;

        Buffer(int spoutTask) {
            this.spoutTask = spoutTask;
        }

        void add(long entry, long value) {
            entries[length] = entry;
            entries[length + 1] = value;
            length += 2;
        }

        boolean isFull() {
            return length == entries.length;
        }
    }
}
