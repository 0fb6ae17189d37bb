package io.eyewall.transport.fabric.link;

/** The peer sent something that this end does not understand or did not allow: the link is closed. */
final class ProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}
