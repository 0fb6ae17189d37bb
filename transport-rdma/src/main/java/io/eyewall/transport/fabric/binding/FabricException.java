package io.eyewall.transport.fabric.binding;

/** A call of libfabric failed. The message says what was attempted, on what object, and the library's reason. */
public final class FabricException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int errorCode;

    /**
     * A failure without an error number of the library.
     *
     * @param message what was wrong, where, and what to do
     */
    public FabricException(String message) {
        super(message);
        this.errorCode = 0;
    }

    FabricException(String attempt, int errorCode) {
        super(attempt + ": " + Libfabric.describe(errorCode) + " (" + errorCode + ")");
        this.errorCode = errorCode;
    }

    /** The library's positive error number: an {@code errno}, or one of its own from 256 on; 0 if there is none. */
    public int errorCode() {
        return errorCode;
    }

    /**
     * Throws if a call failed.
     *
     * @param attempt what was attempted, for the message
     * @param result what the library returned; an error if it is negative
     */
    static void check(String attempt, long result) {
        if (result < 0) {
            throw new FabricException(attempt, (int) -result);
        }
    }
}
