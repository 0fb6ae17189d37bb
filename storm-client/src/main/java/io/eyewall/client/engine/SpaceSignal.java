package io.eyewall.client.engine;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Wakes the producers of a full queue when there is space in it again. Several consumers may take from one queue.
 *
 * <p>A producer that could not insert {@linkplain #register registers} and tries once more before it waits. The consumer takes elements and
 * then looks for registered producers. So at least one of the two sees the other. Tuples from other workers do not wait: they go to the
 * overflow list of the full queue, and those workers are asked to hold back. As soon as the overflow list is empty, this signal reports it;
 * upstream checks every 50 ms. Safe for use by any thread.
 */
public final class SpaceSignal {

    /** Space in other workers and in the connections to them. One signal serves all workers of the process, since it is rarely used. */
    private static final SpaceSignal OF_OTHER_WORKERS = new SpaceSignal();

    private final Runnable onOverflowEmpty;
    /** Threads, and the wake-ups of executors that share threads. */
    private final Set<Object> producers = ConcurrentHashMap.newKeySet();
    /** Whether a producer may be registered and not yet woken. Raised after a producer registers, lowered before producers are woken. */
    private volatile boolean hasProducers;
    /** Whether the overflow list may have elements. Raised after an element is added, lowered before a consumer checks the list. */
    private volatile boolean hasOverflow;

    /** A signal without producers, for a queue whose overflow list is not watched. */
    public SpaceSignal() {
        this(() -> { });
    }

    /**
     * A signal without producers.
     *
     * @param onOverflowEmpty runs when the overflow list has become empty, on a consumer's thread; with several consumers perhaps twice
     */
    public SpaceSignal(Runnable onOverflowEmpty) {
        this.onOverflowEmpty = onOverflowEmpty;
    }

    /** A signal without producers, for another queue, that reports like this one. */
    public SpaceSignal another() {
        return new SpaceSignal(onOverflowEmpty);
    }

    /** The signal for space in other workers and in the connections to them. */
    public static SpaceSignal ofOtherWorkers() {
        return OF_OTHER_WORKERS;
    }

    /** Registers the calling thread, or the executor that it runs, which found no space: it is woken when there is some. */
    public void register() {
        SharedThread shared = SharedThread.current();
        producers.add(shared == null ? Thread.currentThread() : shared.wakeUp());
        hasProducers = true;
    }

    /** Wakes all registered producers, since there is space; returns whether there may have been any. */
    public boolean signal() {
        VarHandle.fullFence(); // The read of the flag could overtake the queue's release store of what was taken.
        if (!hasProducers) {
            return false;
        }
        hasProducers = false;
        producers.forEach(this::wake);
        return true;
    }

    /** Takes the producer out first: it may register again as soon as it runs. */
    private void wake(Object producer) {
        producers.remove(producer);
        if (producer instanceof Thread thread) {
            LockSupport.unpark(thread);
        } else {
            ((Runnable) producer).run();
        }
    }

    /** An element has been added to the overflow list. */
    public void overflowed() {
        hasOverflow = true;
    }

    /**
     * A consumer has taken elements; called on its thread.
     *
     * @param isOverflowEmpty whether the overflow list is empty now
     */
    public void consumed(BooleanSupplier isOverflowEmpty) {
        boolean looksAgain = hasOverflow;
        while (looksAgain) {
            hasOverflow = false;
            if (isOverflowEmpty.getAsBoolean()) {
                onOverflowEmpty.run();
                return;
            }
            hasOverflow = true;
            looksAgain = isOverflowEmpty.getAsBoolean(); // While the flag was down, another consumer may have taken the last element.
        }
    }
}
