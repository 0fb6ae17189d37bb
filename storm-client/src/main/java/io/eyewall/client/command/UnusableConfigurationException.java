package io.eyewall.client.command;

/** The configuration of a container cannot be used: the message says what is wrong, and what to do. */
final class UnusableConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableConfigurationException(String message) {
        super(message);
    }
}
