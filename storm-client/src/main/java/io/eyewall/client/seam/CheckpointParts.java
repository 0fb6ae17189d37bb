package io.eyewall.client.seam;

import org.apache.storm.spout.CheckPointState;

/**
 * Woven into {@code CheckpointSpout}: how far it is. For the executor's thread.
 */
public interface CheckpointParts {

    /** The last transaction, and what has become of it. */
    CheckPointState getCurTxState();

    /** Whether bolts are being told once more what they may have missed. */
    boolean isRecovering();
}
