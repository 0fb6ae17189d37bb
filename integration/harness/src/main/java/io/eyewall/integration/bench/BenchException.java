package io.eyewall.integration.bench;

/**
 * A benchmark cannot be run or has no result; the message is one line that says what happened, where the logs are and what to do.
 */
public final class BenchException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BenchException(String message) {
        super(message);
    }
}
