package io.eyewall.client.frame;

/** Bytes are not a frame that this worker can read. The connection that they came from must be closed. */
public final class FrameException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * What is wrong.
     *
     * @param message a clause that can follow "the connection from ... is closed: "
     */
    public FrameException(String message) {
        super(message);
    }
}
