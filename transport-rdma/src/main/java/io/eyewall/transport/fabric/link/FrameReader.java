package io.eyewall.transport.fabric.link;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Takes messages out of the frames of one link, in order, and puts those together that a {@link FrameWriter} split. */
final class FrameReader {

    /** Memory set aside for a message on the peer's word alone; beyond, memory grows with what has arrived. */
    private static final int TRUSTED_BYTES = 16 << 20;

    private int address;
    private int lengthBytes;
    /** The message being put together, or null. */
    private byte[] partial;
    private int filledBytes;

    /** Takes a message; the buffer is its own only during the call, unless it has an array of exactly the message's length. */
    @FunctionalInterface
    interface Consumer {

        void accept(int address, ByteBuffer message);
    }

    /**
     * Reads a frame.
     *
     * @param payload what follows the header, from position to limit; used up
     */
    void read(ByteBuffer payload, Consumer consumer) throws ProtocolException {
        if (partial != null) {
            proceed(payload, consumer);
        }
        int end = payload.limit();
        while (payload.hasRemaining()) {
            if (payload.remaining() < FrameWriter.MESSAGE_HEADER_BYTES) {
                throw new ProtocolException("a frame ends within the header of a message");
            }
            address = payload.getInt();
            lengthBytes = payload.getInt();
            if (lengthBytes < 0) {
                throw new ProtocolException("a message claims a length of " + lengthBytes + " bytes");
            }
            if (lengthBytes <= payload.remaining()) {
                int next = payload.position() + lengthBytes;
                payload.limit(next);
                consumer.accept(address, payload);
                payload.limit(end).position(next);
            } else {
                partial = new byte[Math.min(lengthBytes, TRUSTED_BYTES)];
                filledBytes = 0;
                proceed(payload, consumer);
            }
        }
    }

    private void proceed(ByteBuffer payload, Consumer consumer) {
        int taken = Math.min(payload.remaining(), lengthBytes - filledBytes);
        if (filledBytes + taken > partial.length) {
            partial = Arrays.copyOf(partial, (int) Math.min(lengthBytes, 2L * partial.length));
        }
        payload.get(partial, filledBytes, taken);
        filledBytes += taken;
        if (filledBytes == lengthBytes) {
            ByteBuffer message = ByteBuffer.wrap(partial).order(payload.order());
            partial = null;
            consumer.accept(address, message);
        }
    }
}
