package io.eyewall.client.acking;

/**
 * An executor of spout tasks that can cancel a tree. Executors of bolts ack the tuples of the tree that they have not begun, without
 * executing them, so that the tree still completes. For the executor's thread.
 */
public interface TreeCanceller {

    /** Cancels a tree in this worker. Other workers learn of it with the next {@link #announce}, or when many trees wait. */
    void cancel(long root);

    /** Sends the roots of the trees that were cancelled to other workers. */
    void announce();
}
