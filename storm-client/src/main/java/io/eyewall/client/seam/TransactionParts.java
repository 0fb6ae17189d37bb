package io.eyewall.client.seam;

/**
 * Woven into {@code BaseStatefulBoltExecutor}. For the executor's thread.
 */
public interface TransactionParts {

    /** The number of the last checkpoint that the bolt has heard of. */
    long getLastTxid();
}
