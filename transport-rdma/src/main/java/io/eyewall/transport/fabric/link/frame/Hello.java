package io.eyewall.transport.fabric.link.frame;

import java.nio.ByteBuffer;

/** The first thing that each end of a link sends: proof that it knows the secret, and how large its buffers are. Immutable. */
public final class Hello {

    /** The length of the longest hello. */
    public static final int MAX_BYTES = 320;
    /** The length of a proof of the secret. */
    public static final int PROOF_BYTES = 32;
    /** The smallest frame size that an end may have. */
    public static final int MIN_FRAME_BYTES = 1024;

    private static final int MAGIC = 0x45594557;
    private static final short VERSION = 1;
    private static final int FIXED_BYTES = 4 + 2 + PROOF_BYTES + 4 + 4 + 4 + 2;

    private final byte[] proof;
    private final int frameBytes;
    private final int window;
    private final int linkId;
    private final byte[] endpointName;

    /**
     * A hello.
     *
     * @param proof proves that its sender knows the secret; {@link #PROOF_BYTES} bytes
     * @param frameBytes the longest frame that its sender can receive
     * @param window how many credits its sender gives
     * @param linkId the number of the link at its sender, for tags
     * @param endpointName its sender's endpoint for tagged datagrams; empty on connected links
     */
    public Hello(byte[] proof, int frameBytes, int window, int linkId, byte[] endpointName) {
        this.proof = proof;
        this.frameBytes = frameBytes;
        this.window = window;
        this.linkId = linkId;
        this.endpointName = endpointName;
    }

    /** The proof that the sender knows the secret. */
    public byte[] proof() {
        return proof;
    }

    /** The longest frame that the sender can receive. */
    public int frameBytes() {
        return frameBytes;
    }

    /** How many credits the sender gives. */
    public int window() {
        return window;
    }

    /** The number of the link at the sender. */
    public int linkId() {
        return linkId;
    }

    /** The name of the sender's endpoint for tagged datagrams, or an empty array. */
    public byte[] endpointName() {
        return endpointName;
    }

    /** Writes this hello at the buffer's position. */
    public void encode(ByteBuffer to) {
        to.putInt(MAGIC).putShort(VERSION).put(proof).putInt(frameBytes).putInt(window).putInt(linkId);
        to.putShort((short) endpointName.length).put(endpointName);
    }

    /** How many bytes {@link #encode} writes. */
    public int encodedBytes() {
        return FIXED_BYTES + endpointName.length;
    }

    /**
     * Reads a hello that takes all remaining bytes of a buffer.
     *
     * @throws ProtocolException if the bytes are not a hello, or one of another version of the protocol
     */
    public static Hello decode(ByteBuffer from) throws ProtocolException {
        if (from.remaining() < FIXED_BYTES || from.getInt() != MAGIC) {
            throw new ProtocolException("the peer's first message is not a hello");
        }
        short version = from.getShort();
        if (version != VERSION) {
            throw new ProtocolException("the peer speaks version " + version + " of the protocol, this end version " + VERSION
                + ": run the same version of Eyewall on both hosts");
        }
        byte[] proof = new byte[PROOF_BYTES];
        from.get(proof);
        int frameBytes = from.getInt();
        int window = from.getInt();
        int linkId = from.getInt();
        int nameBytes = from.getShort();
        if (frameBytes < MIN_FRAME_BYTES || window < 1 || nameBytes != from.remaining()) {
            throw new ProtocolException("the peer's hello is invalid: frames of " + frameBytes + " bytes, " + window
                + " credits, an endpoint name of " + nameBytes + " bytes");
        }
        byte[] name = new byte[nameBytes];
        from.get(name);
        return new Hello(proof, frameBytes, window, linkId, name);
    }
}
