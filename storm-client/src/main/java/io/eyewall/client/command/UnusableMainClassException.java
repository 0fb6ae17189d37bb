package io.eyewall.client.command;

/** The class to run does not exist, cannot be loaded or has no main method; the message says which, and what to do. */
final class UnusableMainClassException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnusableMainClassException(String message, Throwable cause) {
        super(message, cause);
    }
}
