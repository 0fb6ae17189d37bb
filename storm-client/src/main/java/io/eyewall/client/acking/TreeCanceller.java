package io.eyewall.client.acking;

/**
 * An executor of spout tasks that can spare bolts what is left of a tree. Their executors ack, without executing it, what they have not
 * begun of it, so that the tree is complete all the same. For the executor's thread.
 */
public interface TreeCanceller {

    /** What is left of a tree needs not begin; other workers hear of it with the next {@link #tell}, or when many wait. */
    void cancel(long root);

    /** Tells other workers what has been cancelled. */
    void tell();
}
