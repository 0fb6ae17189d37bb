package io.eyewall.elasticity.plan;

/**
 * There is no plan for a request. The message says what is in the way, where, and what to do.
 */
public final class ScalingRefusedException extends Exception {

    /** With what is in the way. */
    public ScalingRefusedException(String message) {
        super(message);
    }
}
