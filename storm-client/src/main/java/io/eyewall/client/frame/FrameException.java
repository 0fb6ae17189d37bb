package io.eyewall.client.frame;

import java.io.IOException;

/**
 * Bytes are not a frame that this worker can read. The connection that they came from must be closed. Has no stack trace: what is wrong is
 * not in this worker.
 */
public final class FrameException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * What is wrong.
     *
     * @param message a clause that can follow "the connection from ... is closed: "
     */
    public FrameException(String message) {
        super(message);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
