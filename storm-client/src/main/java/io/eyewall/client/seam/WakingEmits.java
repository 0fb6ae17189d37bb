package io.eyewall.client.seam;

import org.apache.storm.shade.org.jctools.queues.MpscChunkedArrayQueue;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The emits of an executor that wait for space in a full queue. A thread that a bolt has started may add to them at any time. That ends the
 * executor's wait; upstream's executor would not look at them before its next input.
 *
 * <p>Any thread may add; the executor's thread takes.
 */
public final class WakingEmits extends MpscChunkedArrayQueue<AddressedTuple> {

    private volatile Runnable waker = () -> { };

    /** An empty queue of those sizes, in emits. */
    public WakingEmits(int initialCapacity, int maxCapacity) {
        super(initialCapacity, maxCapacity);
    }

    /** Calls {@code waker} after each emit that is added, on the thread that adds it. */
    public void wakeBy(Runnable waker) {
        this.waker = waker;
    }

    @Override
    public boolean offer(AddressedTuple emit) {
        boolean added = super.offer(emit);
        waker.run();
        return added;
    }
}
