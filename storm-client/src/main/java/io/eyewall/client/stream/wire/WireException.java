package io.eyewall.client.stream.wire;

import java.io.IOException;

/** Bytes that are no message of the wire. Whoever reads them closes the connection. */
public final class WireException extends IOException {

    private static final long serialVersionUID = 1;

    /** {@code reason} says what is wrong. */
    public WireException(String reason) {
        super(reason);
    }
}
