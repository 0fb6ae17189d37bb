package io.eyewall.transport.fabric.binding;

/** A call of libfabric that failed: what was tried, on what, and the library's own reason. */
public final class FabricException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int errorCode;

    /**
     * A failure that the library did not number.
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

    /** The library's positive error number, an {@code errno} or one of its own from 256 on; 0 if there is none. */
    public int errorCode() {
        return errorCode;
    }

    /**
     * Throws if a call failed.
     *
     * @param attempt what was tried, for the message
     * @param result what the library returned: negative is an error
     */
    static void check(String attempt, long result) {
        if (result < 0) {
            throw new FabricException(attempt, (int) -result);
        }
    }
}
