package io.eyewall.client.seam;

import org.apache.storm.spout.CheckPointState;

/**
 * Woven into {@code CheckpointSpout}: the progress of its checkpoint. For the executor's thread.
 */
public interface CheckpointSpoutAccess {

    /** The last transaction and its state. */
    CheckPointState getCurTxState();

    /** Whether it repeats the last step, which bolts may have missed. */
    boolean isRecovering();
}
