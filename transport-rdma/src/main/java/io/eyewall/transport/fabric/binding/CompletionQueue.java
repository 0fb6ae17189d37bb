package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reports finished sends and receives, {@link #BATCH} at a time. For one thread at a time, except {@link #refresh} and {@link #wake}. */
public final class CompletionQueue extends FabricObject {

    /** How many completions {@link #poll} reads at most. */
    public static final int BATCH = 64;

    private final Fabric fabric;
    private final Memory entries = new Memory((long) BATCH * StructLayout.CQ_ENTRY_BYTES);
    private final Memory failure = new Memory(StructLayout.CQ_ERROR_BYTES);
    private final Memory waitFids = new Memory(2L * Long.BYTES);
    private final ByteBuffer view = entries.getByteBuffer(0, entries.size()).order(ByteOrder.nativeOrder());
    private final long key;
    /** Written by whoever binds an endpoint, read by the polling thread. */
    private volatile CompletionQueueCalls calls;
    /** How many entries {@link #await} has read that {@link #poll} has not told of. */
    private int readAhead;
    private int error;
    /** Guards the next: whoever wakes must not reach a queue that is gone. */
    private final Object waking = new Object();
    private boolean closed;

    /** How a thread sleeps until there is a completion. Not every provider knows all ways. */
    public enum Sleep {

        /** Not at all. */
        NEVER(StructLayout.WAIT_NONE),
        /** On the {@link #descriptor()}, and maybe on others together with it. */
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
     * @return how many there are to look at with {@link #context}, {@link #lengthBytes} and {@link #error}; they stay until the next poll
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
     * Sleeps until there are completions, which the next {@link #poll} tells of, for queues opened to {@link Sleep#IN_CALL}.
     *
     * @param timeoutMs how long at most
     */
    public void await(int timeoutMs) {
        long count = calls.sread(key, Pointer.nativeValue(entries), BATCH, 0, timeoutMs);
        // A failed completion is left where it is until the next poll.
        if (count < 0 && count != -StructLayout.EAGAIN && count != -StructLayout.EAVAIL && count != -Libc.EINTR) {
            throw new FabricException("wait for " + this, (int) -count);
        }
        readAhead = (int) Math.max(0, count);
    }

    /** Ends {@link #await}, or the next one. Safe for any thread, even if the queue is closed meanwhile. */
    public void wake() {
        synchronized (waking) {
            if (!closed) {
                calls.signal(key);
            }
        }
    }

    /** The context that was given with the send or receive. */
    public long context(int index) {
        return view.getLong(index * StructLayout.CQ_ENTRY_BYTES + StructLayout.CQ_ENTRY_CONTEXT);
    }

    /** How long a received message is; bytes. */
    public int lengthBytes(int index) {
        return (int) view.getLong(index * StructLayout.CQ_ENTRY_BYTES + StructLayout.CQ_ENTRY_LEN);
    }

    /** The error of the completions last read, 0 for none; a failed one is always read alone. */
    public int error() {
        return error;
    }

    /** The library's text for an {@link #error()}. */
    public static String describe(int error) {
        return Libfabric.describe(error);
    }

    /** The descriptor that becomes readable when there is a completion, for queues opened to be waited on. */
    public int descriptor() {
        return waitDescriptor();
    }

    /**
     * Whether a thread may go to sleep on the descriptors of this queue and another without missing anything. The library prepares them.
     *
     * @param events may be null if there are no connections
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

    /** Looks again how to read the queue: a provider may change that when an endpoint is bound. */
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
