package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import java.util.List;
import java.util.Queue;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The methods of upstream's executor that {@link MovableExecutor} needs. For the executor's own thread, except {@link #isPrepared()} and
 * the methods that return constants.
 */
interface ExecutorAccess {

    /** Its first and its last task. */
    List<Long> id();

    /** Its tasks. */
    List<Integer> tasks();

    /** Its component and tasks, for logs. */
    String describe();

    /** The queue of its input. */
    WakingQueue queue();

    /** Whether its tasks are spouts. */
    boolean isSpout();

    /** Whether its bolts are prepared, or its spouts open; for any thread. */
    boolean isPrepared();

    /** Executes tuples of the queue, at most until it is empty; returns how many. */
    int executeInput();

    /** The tuples that it has emitted while their queue was full. */
    Queue<AddressedTuple> pendingEmits();

    /** Sends as many of these as there is space for. */
    void sendPendingEmits();

    /** Sends the acks that it has gathered. */
    void flushAcks();

    /**
     * Sends the emits that it has gathered in batches; waits while a queue is full.
     *
     * @throws InterruptedException if the worker ends
     */
    void flushEmits() throws InterruptedException;

    /** Looks up the worker's queues again. */
    void lookUpQueues();
}
