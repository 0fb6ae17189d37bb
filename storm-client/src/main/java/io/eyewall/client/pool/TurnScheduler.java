package io.eyewall.client.pool;

import io.eyewall.client.pool.Timers.Timer;

/** Gives executors their turns. For any thread, except where a method names one. */
interface TurnScheduler {

    /** Called when an executor has become ready, by the thread that made it ready. */
    void woken(PooledExecutor executor);

    /** Called when an executor has had its turn and is ready for the next one, by the thread of the turn. */
    void hadItsTurn(PooledExecutor executor);

    /** Called when a ready executor has become more urgent. */
    void raised(PooledExecutor executor);

    /** Called when an executor has ended, by the thread of its last turn. */
    void ended(PooledExecutor executor);

    /** Calls {@link PooledExecutor#due} when the timer is due. */
    void later(Timer timer);

    /** Called during a turn, by its thread. If the turn has lasted long, other threads take over the executors that wait for this one. */
    void shareWork(long nowNs);

    /** The thread that an executor has for itself, or null. */
    Thread ownThread(PooledExecutor executor);

    /** Nanoseconds since the start. */
    long nowNs();

    /** After how many nanoseconds an executor that still has input lets others have a turn. */
    long quantumNs();

    /** How long a call may take, in nanoseconds, before its executor gets a thread of its own. */
    long blockedNs();
}
