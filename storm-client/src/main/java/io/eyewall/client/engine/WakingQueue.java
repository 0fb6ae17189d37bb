package io.eyewall.client.engine;

import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.ReceivingQueue;
import io.eyewall.client.seam.WakingEmits;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.utils.JCQueue;

/**
 * A queue whose consumer is woken by the producer of the next element. The consumer may park for as long as it likes once {@link #consume}
 * has returned 0 twice in a row: whatever was published before the second call found the queue empty is consumed by it, and whatever is
 * published later unparks the thread that made it. After the first 0 it may only
 * {@linkplain ParkingWaitStrategy nap}: to wake a thread costs its producer more than a tuple does, and under load the nap lets a batch
 * gather instead. A consumer that {@linkplain #napFor naps more often} may park after as many more.
 *
 * <p>The flag and the queue are a Dekker pair: the consumer raises the flag and then looks into the queue once more, a producer inserts and
 * then looks at the flag, and both accesses of each are ordered, so that at least one of them sees the other.
 *
 * <p>A tuple from another worker goes into the queue at once, whatever the producers' batch: it comes in the batch of a network message,
 * and nobody flushes batches of the threads that receive.
 *
 * <p>A producer that finds the queue full and {@linkplain FullQueueWaitStrategy waits} is woken when half of it, or all that there was, has
 * been taken. Other workers that hold back because their tuples are in the overflow list are told when it is empty.
 */
public class WakingQueue extends JCQueue implements ReceivingQueue {

    /** Two cache lines, since processors fetch them in pairs, in numbers of ints. */
    private static final int CACHE_LINES_INTS = 32;
    /** Each after half of the size: more than twice the size, which upstream rounds up to a power of two. */
    private static final int LOOKS_BEFORE_OVERFLOW = 5;
    private static final long NONE_DUE = -1;
    private static final Queue<Object> EMPTY = new ArrayDeque<>(0);

    private final boolean wakes;
    /** The consumer, once it found the queue empty. Written by the consumer before the flag, read by producers after it. */
    private Thread consumer;
    /** What ends its wait. Written before its first look. */
    private Runnable waker = () -> LockSupport.unpark(consumer);
    /** Raised by the consumer when it finds the queue empty again, lowered by the producer that wakes it. */
    private final AtomicBoolean waiting = new AtomicBoolean();
    /** How many naps there are before producers wake the consumer. Written before its first look. */
    private int naps = 1;
    /** How many looks in a row found the queue empty, {@link #naps} at most. The consumer's alone. */
    private int emptyLooks;
    /** The condition of the look that goes on. The consumer's alone. */
    private ExitCondition condition;
    private final ExitCondition conditionUnlessAsked = this::goesOn;
    /** Whether the consumer is to return. */
    private volatile boolean asked;
    /** What the consumer has to do besides. Written before its first look. */
    private Queue<?> emits = EMPTY;

    private final SpaceSignal space;
    /** How often in a row something lay beside the queue when half of its size had been taken. The consumer's alone. */
    private int overflowLooks;
    /** How many elements have been laid beside the queue, each counted before it lies there. */
    private final AtomicLong overflowed = new AtomicLong();
    /** How many of them did so before the first of these looks. The consumer's alone. */
    private long overflowedBefore;
    /** How many of what lies beside the queue this look may still take before the queue is empty; negative if it is to take the queue's. */
    private long overflowDue = NONE_DUE;
    /** After how many elements those are woken that wait for room, although there are more to be taken. */
    private final int manyTaken;
    /**
     * How many were taken since then, in its middle: written at each element, it would otherwise take the cache line of the other fields
     * from the producers, who read them at each. The consumer's alone.
     */
    private final int[] taken = new int[2 * CACHE_LINES_INTS];

    /**
     * A queue with nothing in it.
     *
     * @param wakes whether producers wake the consumer; it may not park if not, but returns when it is {@linkplain #askToReturn asked to}
     * @param space wakes producers when there is space
     */
    public WakingQueue(QueueRequest request, boolean wakes, SpaceSignal space) {
        super(request.queueName(), request.metricName(), request.sizeTuples(), request.overflowLimitTuples(),
            request.producerBatchTuples(), request.backPressureWait(), request.topologyId(), request.componentId(), request.taskIds(),
            request.port(), request.metrics());
        this.wakes = wakes;
        this.space = space;
        manyTaken = Math.max(1, request.sizeTuples() / 2);
    }

    @Override
    public int consume(Consumer elements, ExitCondition exitCondition) {
        if (condition != exitCondition) { // To write it each time would take its cache line from the producers.
            condition = exitCondition;
        }
        if (overflowDue != NONE_DUE) {
            overflowDue = NONE_DUE;
        }
        int consumed = look(elements, conditionUnlessAsked);
        if (consumed == 0 && emptyLooks == naps && wakes && !waiting.get()) {
            consumer = Thread.currentThread();
            raise();
            consumed = look(elements, conditionUnlessAsked);
            if (consumed == 0 && !emits.isEmpty()) {
                wake(); // Its own wait, which has not begun.
            }
        }
        int empty = consumed == 0 && !asked ? Math.min(emptyLooks + 1, naps) : 0;
        if (empty != emptyLooks) {
            emptyLooks = empty;
        }
        if (consumed > 0) {
            space.signal();
        }
        space.consumed(this);
        return consumed;
    }

    /**
     * Has the consumer, which otherwise goes on until the queue is empty, return from {@link #consume} when it is done with the element
     * that it has; it gets no other until it {@linkplain #goOn goes on}. For any thread.
     */
    public void askToReturn() {
        asked = true;
    }

    /** The consumer has seen that it was asked to return, and what for; on its thread. */
    public void goOn() {
        if (asked) { // Which it hardly ever is, and to write is dear.
            asked = false;
        }
    }

    /** The consumer is to end, and executes only what is here for it alone. For any thread. */
    public void retire() {
        // Everything here is for it alone.
    }

    /**
     * Takes all elements for a consumer that has ended, and has {@code onMore} run when a producer that still knows the queue inserts
     * another one, on the thread of that producer: then this method is to be called again. An element that is inserted at any time is
     * either taken here or announced by {@code onMore}. One thread at a time, after the last {@link #consume} of the old consumer.
     *
     * @return how many were taken
     */
    public int drain(java.util.function.Consumer<Object> elements, Runnable onMore) {
        lower();
        asked = false;
        waker = onMore;
        Consumer each = new Consumer() {
            @Override
            public void accept(Object element) {
                elements.accept(element);
            }

            @Override
            public void flush() {
                // Elements are taken one by one.
            }
        };
        int drained = 0;
        int taken;
        do {
            taken = look(each, () -> true);
            if (taken == 0) {
                raise();
                taken = look(each, () -> true);
                if (taken > 0) {
                    lower();
                }
            }
            drained += taken;
        } while (taken > 0);
        space.signal();
        space.consumed(this);
        return drained;
    }

    @Override
    public void publish(Object element) throws InterruptedException {
        super.publish(element);
        wake();
    }

    @Override
    public boolean tryPublish(Object element) {
        if (!super.tryPublish(element)) {
            space.register();
            return wakeIf(super.tryPublish(element));
        }
        wake();
        return true;
    }

    @Override
    public boolean tryPublishDirect(Object element) {
        return wakeIf(super.tryPublishDirect(element));
    }

    @Override
    public boolean tryReceive(Object tuple) {
        return tryPublishDirect(tuple);
    }

    @Override
    public boolean tryPublishToOverflow(Object element) {
        overflowed.incrementAndGet();
        boolean published = super.tryPublishToOverflow(element);
        if (!published) {
            overflowed.decrementAndGet();
        }
        space.overflowed();
        return wakeIf(published);
    }

    @Override
    public void flush() throws InterruptedException {
        super.flush();
        wake();
    }

    @Override
    public boolean tryFlush() {
        return wakeIf(super.tryFlush());
    }

    /** Wakes the consumer if it waits; whether it did. */
    public boolean wake() {
        boolean woken = lower();
        if (woken) {
            waker.run();
        }
        return woken;
    }

    /** Lets the consumer, before its first look, nap so often before what comes wakes it; 1 otherwise. */
    void napFor(int looks) {
        naps = looks;
    }

    /** Before the first look: the consumer does not wait while there are emits, and is woken for each that another thread adds. */
    void wakeForEmits(WakingEmits emits) {
        this.emits = emits;
        emits.wakeBy(this::wake);
    }

    /** Has the consumer, before its first look, woken by {@code waker} on the producer's thread, and not unparked. */
    void wakeBy(Runnable waker) {
        this.waker = waker;
    }

    /** Hands over what is there, on the consumer's thread; answers with how much that was. */
    protected int look(Consumer elements, ExitCondition exitCondition) {
        return super.consume(elements, exitCondition);
    }

    /** The consumer raises its flag. */
    protected void raise() {
        waiting.set(true);
    }

    /** Lowers the flag; whether it was up. */
    protected boolean lower() {
        return waiting.get() && waiting.compareAndSet(true, false);
    }

    /** Asked before each element of a look, and at its end. */
    private boolean goesOn() {
        if (asked || !condition.keepRunning()) {
            return false;
        }
        if (overflowDue != NONE_DUE) {
            return overflowDue-- > 0;
        }
        if (++taken[CACHE_LINES_INTS] >= manyTaken) {
            taken[CACHE_LINES_INTS] = 0;
            space.signal();
            overflowDue = overflowDue();
            return overflowDue == NONE_DUE; // Upstream goes on with what lies beside the queue, for which it asks anew.
        }
        return true;
    }

    /**
     * How many of the elements beside the queue to take although it is not empty. Upstream takes them when the queue is empty, which it
     * never is before a slow consumer with fast producers in its worker: tuples of other workers would wait for ever. Those that are due
     * have lain there since the first look, and what was in the queue at that time has been taken by now, so that the elements of one
     * producer keep their order.
     */
    private long overflowDue() {
        if (super.isEmptyOverflow()) {
            overflowLooks = 0;
            return NONE_DUE;
        }
        if (overflowLooks++ == 0) {
            overflowedBefore = overflowed.get();
        }
        if (overflowLooks <= LOOKS_BEFORE_OVERFLOW) {
            return NONE_DUE;
        }
        overflowLooks = 0;
        long gone = overflowed.get() - super.getOverflowCount();
        return overflowedBefore > gone ? overflowedBefore - gone : NONE_DUE;
    }

    private boolean wakeIf(boolean published) {
        if (published) {
            wake();
        }
        return published;
    }
}
