package io.eyewall.transport.fabric.link.frame;

/** The peer sent bytes that this end cannot decode or does not allow. Its link must be closed. */
public final class ProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * A violation of the protocol.
     *
     * @param message what the peer did, as a clause that can follow "link to ... is closed: "
     */
    public ProtocolException(String message) {
        super(message);
    }
}
