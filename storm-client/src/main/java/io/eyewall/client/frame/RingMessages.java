package io.eyewall.client.frame;

import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.security.BoundedDecoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.storm.messaging.TaskMessage;

/** The messages in a ring that a {@link RingSender} writes. For one thread at a time. */
final class RingMessages implements Closeable {

    /** The most that is allocated for a message before its bytes are there. Frames are seldom longer. */
    private static final int FIRST_BYTES = 64 * 1024;

    private final SharedRing ring;
    private final long maxMessageBytes;
    private final byte[] headBytes = new byte[RingSender.HEAD_BYTES];
    private final ByteBuffer head = ByteBuffer.wrap(headBytes);
    private int headRead;
    /** The bytes of the message whose head was read, or null. It grows as they come, up to the length that the head announces. */
    private byte[] message;
    private int messageRead;

    RingMessages(SharedRing ring, long maxMessageBytes) {
        this.ring = ring;
        this.maxMessageBytes = maxMessageBytes;
    }

    /** Says that this side has the ring. */
    void attach() {
        ring.attach();
    }

    /**
     * Adds the messages that the ring has now to a list; returns how many bytes were read. A part of a message is kept for the next call.
     *
     * @throws IOException if what is in the ring is wrong
     */
    int read(List<Object> messages) throws IOException {
        int all = ring.available();
        int left = all;
        while (left > 0) {
            left -= readSome(left, messages);
        }
        return all;
    }

    /** Whether there is nothing to read now. */
    boolean isEmpty() throws IOException {
        return ring.available() == 0;
    }

    /** Whether the writer wakes the reader from now on; if not, there is something to read. */
    boolean trySleep() throws IOException {
        return ring.trySleep();
    }

    /** Has the writer wake nobody until {@link #trySleep}. */
    void stayAwake() {
        ring.stayAwake();
    }

    @Override
    public void close() {
        ring.close();
    }

    private int readSome(int available, List<Object> messages) throws IOException {
        int length;
        if (message == null) {
            length = Math.min(available, RingSender.HEAD_BYTES - headRead);
            ring.read(headBytes, headRead, length);
            headRead += length;
            if (headRead < RingSender.HEAD_BYTES) {
                return length;
            }
            message = new byte[Math.min(FIRST_BYTES, bounded(head.getInt(Integer.BYTES)))];
            headRead = 0;
            messageRead = 0;
        } else {
            if (messageRead == message.length) {
                message = Arrays.copyOf(message, (int) Math.min(head.getInt(Integer.BYTES), 2L * message.length));
            }
            length = Math.min(available, message.length - messageRead);
            ring.read(message, messageRead, length);
            messageRead += length;
        }
        if (messageRead == head.getInt(Integer.BYTES)) {
            messages.add(new TaskMessage(head.getInt(0), message));
            message = null;
        }
        return length;
    }

    private int bounded(int lengthBytes) throws IOException {
        if (lengthBytes < 0 || lengthBytes > maxMessageBytes) {
            throw new IOException(BoundedDecoder.tooLong(lengthBytes, maxMessageBytes));
        }
        return lengthBytes;
    }
}
