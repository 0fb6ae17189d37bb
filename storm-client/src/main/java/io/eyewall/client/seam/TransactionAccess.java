package io.eyewall.client.seam;

/**
 * Woven into {@code BaseStatefulBoltExecutor}: the checkpoint that a stateful bolt has reached. For the executor's thread.
 */
public interface TransactionAccess {

    /** The number of the last checkpoint that reached the bolt. */
    long getLastTxid();
}
