package io.eyewall.client.stream.wire;

import java.io.IOException;

/** Reports bytes that are not a message between an instance and its stream manager. The reader closes the connection. */
public final class WireException extends IOException {

    private static final long serialVersionUID = 1;

    /** {@code reason} says what is wrong. */
    public WireException(String reason) {
        super(reason);
    }
}
