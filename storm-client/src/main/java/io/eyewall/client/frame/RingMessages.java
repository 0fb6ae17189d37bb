package io.eyewall.client.frame;

import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.security.BoundedDecoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.storm.messaging.TaskMessage;

/**
 * The messages in a ring that a {@link RingSender} writes. An array grows as its bytes come, whatever length was announced. For one thread
 * at a time.
 */
final class RingMessages implements Closeable {

    private final SharedRing ring;
    private final long maxMessageBytes;
    private final byte[] headBytes = new byte[RingSender.HEAD_BYTES];
    private final ByteBuffer head = ByteBuffer.wrap(headBytes);
    private int headRead;
    /** The bytes of the message that is being read, as far as they have come, or null; how many have come, and how many will. */
    private byte[] bytes;
    private int bytesRead;
    private int bytesInAll;

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
        if (bytes == null) {
            length = Math.min(available, RingSender.HEAD_BYTES - headRead);
            ring.read(headBytes, headRead, length);
            headRead += length;
            if (headRead < RingSender.HEAD_BYTES) {
                return length;
            }
            bytesInAll = bounded(head.getInt(Integer.BYTES));
            bytes = new byte[Math.min(bytesInAll, available - length)];
            headRead = 0;
            bytesRead = 0;
        } else {
            length = Math.min(available, bytesInAll - bytesRead);
            makeRoom(bytesRead + length);
            ring.read(bytes, bytesRead, length);
            bytesRead += length;
        }
        if (bytesRead == bytesInAll) {
            messages.add(new TaskMessage(head.getInt(0), bytes));
            bytes = null;
        }
        return length;
    }

    private void makeRoom(int needed) {
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(bytesInAll, Math.max(needed, 2L * bytes.length)));
        }
    }

    private int bounded(int lengthBytes) throws IOException {
        if (lengthBytes < 0 || lengthBytes > maxMessageBytes) {
            throw new IOException(BoundedDecoder.tooLong(lengthBytes, maxMessageBytes));
        }
        return lengthBytes;
    }
}
