package io.eyewall.integration.cluster;

/** A cluster did not do what it was asked for. The message says what failed, on which part, and where its logs are. */
public final class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says what failed and what to do. */
    public ClusterException(String message) {
        super(message);
    }

    /** Says what failed and what to do, with the failure behind it. */
    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
