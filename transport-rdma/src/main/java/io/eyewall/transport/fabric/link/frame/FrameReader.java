package io.eyewall.transport.fabric.link.frame;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads messages out of the frames of one link, in order, and reassembles those that a {@link FrameWriter} split. For one thread. */
public final class FrameReader {

    /** How much memory a length in a message header may claim at once. Beyond it, memory grows with the bytes that have arrived. */
    private static final int TRUSTED_BYTES = 16 << 20;

    private int address;
    private int lengthBytes;
    /** The message being reassembled, or null. */
    private byte[] partial;
    private int filledBytes;

    /** Receives the messages of a frame. */
    @FunctionalInterface
    public interface Consumer {

        /**
         * Takes a message.
         *
         * @param message from position to limit; valid during this call only, unless it has an array of exactly the message's length,
         *     which the consumer may keep
         */
        void accept(int address, ByteBuffer message);
    }

    /**
     * Reads a frame.
     *
     * @param payload what follows the header, from position to limit; this call moves both
     * @throws ProtocolException if the payload is not a sequence of messages
     */
    public void read(ByteBuffer payload, Consumer consumer) throws ProtocolException {
        if (partial != null) {
            continuePartial(payload, consumer);
        }
        int end = payload.limit();
        while (payload.hasRemaining()) {
            if (payload.remaining() < FrameWriter.MESSAGE_HEADER_BYTES) {
                throw new ProtocolException("the peer sent a frame that ends within the header of a message");
            }
            address = payload.getInt();
            lengthBytes = payload.getInt();
            if (lengthBytes < 0) {
                throw new ProtocolException("the peer sent a message with a length of " + lengthBytes + " bytes");
            }
            if (lengthBytes <= payload.remaining()) {
                int next = payload.position() + lengthBytes;
                payload.limit(next);
                consumer.accept(address, payload);
                payload.limit(end).position(next);
            } else {
                partial = new byte[Math.min(lengthBytes, TRUSTED_BYTES)];
                filledBytes = 0;
                continuePartial(payload, consumer);
            }
        }
    }

    private void continuePartial(ByteBuffer payload, Consumer consumer) {
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
