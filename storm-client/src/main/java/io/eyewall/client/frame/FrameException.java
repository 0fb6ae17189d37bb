package io.eyewall.client.frame;

import java.io.IOException;

/**
 * Reports bytes that this worker cannot read as a frame. Close the connection on which they arrived. It has no stack trace, since the
 * error is not in this worker.
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
