package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Returns completed sends and receives, {@link #BATCH} at a time. For one thread at a time, except {@link #refresh} and {@link #wake}.
 */
public final class CompletionQueue extends FabricObject {

    /** How many completions {@link #poll} returns at most. */
    public static final int BATCH = 64;

    private final Fabric fabric;
    private final Memory entries = new Memory((long) BATCH * StructLayout.CQ_ENTRY_BYTES);
    private final Memory failure = new Memory(StructLayout.CQ_ERROR_BYTES);
    private final Memory waitFids = new Memory(2L * Long.BYTES);
    private final ByteBuffer view = entries.getByteBuffer(0, entries.size()).order(ByteOrder.nativeOrder());
    private final long key;
    /** Written by the thread that binds an endpoint, read by the polling thread. */
    private volatile CompletionQueueCalls calls;
    /** How many completions {@link #await} has read and {@link #poll} has not returned yet. */
    private int readAhead;
    private int error;
    /** Guards the next field: no thread may wake a queue that is closed. */
    private final Object waking = new Object();
    private boolean closed;

    /** How a thread can sleep until there is a completion. Not every provider supports all of them. */
    public enum Sleep {

        /** A thread cannot sleep. */
        NEVER(StructLayout.WAIT_NONE),
        /** On the {@link #descriptor()}, possibly together with other descriptors. */
        ON_DESCRIPTOR(StructLayout.WAIT_FD),
        /** In {@link #await}. */
        IN_CALL(StructLayout.WAIT_UNSPEC);

        private final int waitObject;

        Sleep(int waitObject) {
            this.waitObject = waitObject;
        }

        int waitObject() {
            return waitObject;
        }
    }

    CompletionQueue(Fabric fabric, String description, Pointer fid) {
        super(description, fid);
        this.fabric = fabric;
        this.key = address();
        refresh();
    }

    /**
     * Reads completions.
     *
     * @return how many; {@link #context}, {@link #lengthBytes} and {@link #error} describe them until the next poll
     */
    public int poll() {
        error = 0;
        if (readAhead > 0) {
            int count = readAhead;
            readAhead = 0;
            return count;
        }
        long count = calls.read(key, Pointer.nativeValue(entries), BATCH);
        if (count >= 0) {
            return (int) count;
        }
        if (count == -StructLayout.EAGAIN) {
            return 0;
        }
        if (count != -StructLayout.EAVAIL) {
            throw new FabricException("read " + this, (int) -count);
        }
        return pollFailure();
    }

    /**
     * Sleeps until there are completions, which the next {@link #poll} returns. Only for a queue opened with {@link Sleep#IN_CALL}.
     *
     * @param timeoutMs the longest sleep
     */
    public void await(int timeoutMs) {
        long count = calls.sread(key, Pointer.nativeValue(entries), BATCH, 0, timeoutMs);
        // A failed completion stays in the queue until the next poll.
        if (count < 0 && count != -StructLayout.EAGAIN && count != -StructLayout.EAVAIL && count != -Libc.EINTR) {
            throw new FabricException("wait for " + this, (int) -count);
        }
        readAhead = (int) Math.max(0, count);
    }

    /** Ends the current {@link #await}, or the next one. Any thread may call it, even after the queue is closed. */
    public void wake() {
        synchronized (waking) {
            if (!closed) {
                calls.signal(key);
            }
        }
    }

    /** The context of the send or receive. */
    public long context(int index) {
        return view.getLong(index * StructLayout.CQ_ENTRY_BYTES + StructLayout.CQ_ENTRY_CONTEXT);
    }

    /** The length of a received message, in bytes. */
    public int lengthBytes(int index) {
        return (int) view.getLong(index * StructLayout.CQ_ENTRY_BYTES + StructLayout.CQ_ENTRY_LEN);
    }

    /** The error number of the completion that the last poll returned, or 0. A poll returns a failed completion alone. */
    public int error() {
        return error;
    }

    /** The library's description of an {@link #error()}. */
    public static String describe(int error) {
        return Libfabric.describe(error);
    }

    /** The file descriptor that is readable while there is a completion. Only for a queue opened with {@link Sleep#ON_DESCRIPTOR}. */
    public int descriptor() {
        return waitDescriptor();
    }

    /**
     * Prepares this queue and another for a sleep on their descriptors.
     *
     * @param events may be null if there are no connections
     * @return false if there is something to read already
     */
    public boolean mayWait(EventQueue events) {
        waitFids.setLong(0, key);
        waitFids.setLong(Long.BYTES, events == null ? 0 : events.address());
        int result = calls.trywait(fabric.address(), Pointer.nativeValue(waitFids), events == null ? 1 : 2);
        if (result == -StructLayout.EAGAIN) {
            return false;
        }
        FabricException.check("prepare to wait on " + this, result);
        return true;
    }

    @Override
    public void close() {
        synchronized (waking) {
            super.close();
            closed = true;
        }
        entries.close();
        failure.close();
        waitFids.close();
    }

    /** Looks up the queue's functions again: a provider may replace them when an endpoint is bound. */
    void refresh() {
        calls = CompletionQueueCalls.of(OperationTable.of("fi_ops_cq", fid(), StructLayout.OBJECT_OPS), fabric);
    }

    private int pollFailure() {
        failure.clear();
        OperationTable operations = OperationTable.of("fi_ops_cq", fid(), StructLayout.OBJECT_OPS);
        String attempt = "read a failure from " + this;
        int count = operations.tryCall(attempt, StructLayout.CQ_READERR, fid(), failure, 0L);
        if (count == -StructLayout.EAGAIN) {
            return 0;
        }
        FabricException.check(attempt, count);
        view.putLong(StructLayout.CQ_ENTRY_CONTEXT, failure.getLong(StructLayout.CQ_ERROR_CONTEXT));
        view.putLong(StructLayout.CQ_ENTRY_LEN, 0);
        error = failure.getInt(StructLayout.CQ_ERROR_ERR);
        return 1;
    }
}
