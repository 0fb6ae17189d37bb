package io.eyewall.client.engine;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that runs several executors in turns. Code that would park the thread, because an executor has nothing to do or found a queue
 * full, calls {@link #yieldFor} and returns. The thread then runs another executor.
 */
public abstract class SharedThread extends Thread {

    /** For the subclass, which runs the executors. */
    protected SharedThread(String name) {
        super(name);
    }

    /** The calling thread, or null if it belongs to one executor, or to none. */
    public static SharedThread current() {
        return Thread.currentThread() instanceof SharedThread shared ? shared : null;
    }

    /** Waits on the calling thread for {@code atMostNs} nanoseconds at most: parks it or, if executors share it, ends the turn. */
    static void waitFor(Object blocker, long atMostNs) {
        SharedThread shared = current();
        if (shared == null) {
            LockSupport.parkNanos(blocker, atMostNs);
        } else {
            shared.yieldFor(atMostNs);
        }
    }

    /** Whether executors take turns on it, rather than a single one that it belongs to for the time being. For any thread. */
    public abstract boolean isInPool();

    /**
     * Ends the turn of the executor that runs now. It gets the next one when it is woken, or after {@code atMostNs} nanoseconds. Called on
     * this thread.
     */
    public abstract void yieldFor(long atMostNs);

    /**
     * A wake-up that gives the executor that runs now another turn. It is the same object for the same executor, and any thread may run it.
     * Called on this thread.
     */
    public abstract Runnable wakeUp();
}
