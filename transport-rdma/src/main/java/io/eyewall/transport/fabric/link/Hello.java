package io.eyewall.transport.fabric.link;

import java.nio.ByteBuffer;

/** What each end tells the other first. */
final class Hello {

    /** The longest that a hello can be. */
    static final int MAX_BYTES = 320;

    private static final int MAGIC = 0x45594557;
    private static final short VERSION = 1;
    private static final int FIXED_BYTES = 4 + 2 + LinkSecret.PROOF_BYTES + 4 + 4 + 4 + 2;

    private final byte[] proof;
    private final int frameBytes;
    private final int window;
    private final int linkId;
    private final byte[] endpointName;

    /**
     * What to tell.
     *
     * @param proof of the secret, {@link LinkSecret#PROOF_BYTES} bytes
     * @param frameBytes the longest frame that the sender of this can receive
     * @param window how many credits the sender of this gives
     * @param linkId what the sender of this calls the link, for tags
     * @param endpointName the sender's endpoint for tagged datagrams; empty for connected links
     */
    Hello(byte[] proof, int frameBytes, int window, int linkId, byte[] endpointName) {
        this.proof = proof;
        this.frameBytes = frameBytes;
        this.window = window;
        this.linkId = linkId;
        this.endpointName = endpointName;
    }

    byte[] proof() {
        return proof;
    }

    int frameBytes() {
        return frameBytes;
    }

    int window() {
        return window;
    }

    int linkId() {
        return linkId;
    }

    byte[] endpointName() {
        return endpointName;
    }

    /** Writes it from the buffer's position on. */
    void encode(ByteBuffer to) {
        to.putInt(MAGIC).putShort(VERSION).put(proof).putInt(frameBytes).putInt(window).putInt(linkId);
        to.putShort((short) endpointName.length).put(endpointName);
    }

    /** How many bytes {@link #encode} writes. */
    int encodedBytes() {
        return FIXED_BYTES + endpointName.length;
    }

    /** Reads one that takes all that remains of the buffer. */
    static Hello decode(ByteBuffer from) throws ProtocolException {
        if (from.remaining() < FIXED_BYTES || from.getInt() != MAGIC) {
            throw new ProtocolException("the first message is not the greeting of a link");
        }
        short version = from.getShort();
        if (version != VERSION) {
            throw new ProtocolException("the peer speaks version " + version + " of this protocol, not " + VERSION
                + ": run the same version of Eyewall on both hosts");
        }
        byte[] proof = new byte[LinkSecret.PROOF_BYTES];
        from.get(proof);
        int frameBytes = from.getInt();
        int window = from.getInt();
        int linkId = from.getInt();
        int nameBytes = from.getShort();
        if (frameBytes < LinkConfiguration.MIN_FRAME_BYTES || window < 1 || nameBytes != from.remaining()) {
            throw new ProtocolException("the greeting makes no sense: frames of " + frameBytes + " bytes, " + window
                + " credits, a name of " + nameBytes + " bytes");
        }
        byte[] name = new byte[nameBytes];
        from.get(name);
        return new Hello(proof, frameBytes, window, linkId, name);
    }
}
