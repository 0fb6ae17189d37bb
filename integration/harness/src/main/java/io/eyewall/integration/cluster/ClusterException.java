package io.eyewall.integration.cluster;

/** A cluster, or a part of it, failed. The message says what failed, on which part, and where its logs are. */
public final class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says what failed and what to do. */
    public ClusterException(String message) {
        super(message);
    }

    /** Says what failed and what to do; {@code cause} is the reason. */
    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
