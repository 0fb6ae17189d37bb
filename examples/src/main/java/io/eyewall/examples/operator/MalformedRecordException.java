package io.eyewall.examples.operator;

/**
 * An operator cannot parse a record. The message says what was expected, and contains the record.
 */
public final class MalformedRecordException extends Exception {

    public MalformedRecordException(String message) {
        super(message);
    }

    public MalformedRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
