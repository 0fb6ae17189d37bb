package io.eyewall.client.seam;

import java.util.Set;
import java.util.function.BooleanSupplier;

/** The transport of a process that is one of several in its slot, and may be asked to end without losing tuples. */
public interface DrainableTransport extends FrameTransport {

    /** The worker runs its executors, and this is how they end; on the thread that starts the worker. */
    void drainedBy(Drain drain);

    /**
     * The tasks of all processes of the slot that can be reached, which local-or-shuffle groupings prefer as they do those of a worker. The
     * same object until they change. For any thread.
     */
    Set<Integer> slotTasks();

    /** How the executors of a worker end. For one thread at a time, which is kept waiting. */
    interface Drain {

        /**
         * Has spouts emit nothing more, and returns when none of their messages is pending, or as soon as it may wait no longer.
         *
         * @param mayWait whether it may wait any longer; asked again and again
         */
        void stopSpouts(BooleanSupplier mayWait) throws InterruptedException;

        /**
         * Has executors execute what they have and what still comes, without ticks from now on. Returns whether they had nothing to do at
         * some moment of this call, and all that they had emitted by then has been sent. More may arrive meanwhile. It does not wait.
         */
        boolean areAtRest();

        /**
         * Has executors execute their queues and end, and returns when all that they have emitted has been sent. Nothing more may arrive by
         * then.
         *
         * @return how many tuples could not be executed or sent
         */
        int end() throws InterruptedException;
    }
}
