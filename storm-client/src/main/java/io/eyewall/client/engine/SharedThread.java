package io.eyewall.client.engine;

/**
 * A thread that runs several executors in turns. What would park it, because an executor has nothing to do or found a queue full, calls
 * {@link #yieldFor} and returns: the thread then runs another executor.
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

    /**
     * Ends the turn of the executor that runs now. It gets the next one when it is woken, or after {@code atMostNs} nanoseconds. Called on
     * this thread.
     */
    public abstract void yieldFor(long atMostNs);

    /** Gives the executor that runs now another turn; the same object for the same executor, and for any thread. Called on this thread. */
    public abstract Runnable wakeUp();
}
