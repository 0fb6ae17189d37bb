package io.eyewall.client.pool;

/** The executors of a pool that are ready, and the order in which they have their turns. For any thread. */
interface TurnOrder {

    /**
     * Adds an executor that has just been woken.
     *
     * @param thread the thread of the pool that calls this, or null if it is another one
     * @return whether that thread takes the executor when its turn is over, so that no other thread need be woken
     */
    boolean addWoken(PooledExecutor executor, PoolThread thread);

    /** Adds an executor that has had its turn, in the same way. */
    boolean addAfterTurn(PooledExecutor executor, PoolThread thread);

    /** An executor has become more urgent, whether or not it has been added. */
    void raised(PooledExecutor executor);

    /** Takes the next executor for a thread of the pool, which calls this; null if there is none for it. */
    PooledExecutor take(PoolThread thread);

    /** Whether there are executors that wait although this thread has a turn, and that another thread should take. Called on the thread. */
    boolean hasWorkForOthers(PoolThread thread, long nowNs);

    /** Whether a thread that has just taken an executor may have been woken for another one. */
    boolean isAnotherWoken();
}
