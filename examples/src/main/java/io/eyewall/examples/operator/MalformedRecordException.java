package io.eyewall.examples.operator;

/**
 * A record that an operator cannot understand. The message says what was expected and shows the record.
 */
public final class MalformedRecordException extends Exception {

    public MalformedRecordException(String message) {
        super(message);
    }

    public MalformedRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
