package io.eyewall.client.frame;

import java.io.IOException;

/**
 * Reports bytes that this worker cannot read as a frame. Close the connection on which they arrived. It has no stack trace, since the
 * error is not in this worker.
 */
public final class FrameException extends IOException {

    private static final long serialVersionUID = 1L;

    private static final String REMEDY = ". Find out what runs at that address. If it is a worker of this topology, run the same version of"
        + " Eyewall on both hosts.";

    /**
     * What is wrong; the exception's message has the remedy, too.
     *
     * @param wrong a clause that can follow "the connection from ... is closed: "
     */
    public FrameException(String wrong) {
        super(wrong + REMEDY);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
