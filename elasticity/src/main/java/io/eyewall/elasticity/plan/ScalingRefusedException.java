package io.eyewall.elasticity.plan;

/**
 * Thrown when no plan can reach a goal. The message says what prevents it, where, and what to do.
 */
public final class ScalingRefusedException extends Exception {

    /** Made with what prevents the plan. */
    public ScalingRefusedException(String message) {
        super(message);
    }
}
