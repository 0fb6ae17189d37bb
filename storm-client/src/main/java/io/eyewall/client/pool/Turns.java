package io.eyewall.client.pool;

import io.eyewall.client.pool.Timers.Timer;

/** What gives executors their turns. For any thread, except where it says otherwise. */
interface Turns {

    /** An executor has become ready; called by the thread that made it so. */
    void woken(PooledExecutor executor);

    /** An executor has had its turn and is ready for the next one; called by the thread that had it. */
    void hadItsTurn(PooledExecutor executor);

    /** An executor has ended; called by the thread that had its last turn. */
    void ended(PooledExecutor executor);

    /** Calls {@link PooledExecutor#due} when the timer is due. */
    void later(Timer timer);

    /** The calling thread is in the middle of a turn, which may have lasted so long that others should take over what waits for it. */
    void shareWork(long nowNs);

    /** Interrupts the call of an executor that has a thread of its own; returns whether it has one. */
    boolean interrupt(PooledExecutor executor);

    /** Nanoseconds since the start. */
    long nowNs();

    /** After how many nanoseconds an executor that still has input lets others have a turn. */
    long quantumNs();

    /** A call that takes more nanoseconds keeps an executor out of the pool. */
    long slowNs();
}
