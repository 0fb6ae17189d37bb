package io.eyewall.client.seam;

/**
 * Woven into {@code BaseStatefulBoltExecutor}. For the executor's thread.
 */
public interface TransactionAccess {

    /** The number of the last checkpoint that reached the bolt. */
    long getLastTxid();
}
