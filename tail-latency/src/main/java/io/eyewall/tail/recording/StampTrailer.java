package io.eyewall.tail.recording;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/**
 * The form of a stamp behind a tuple's own bytes: seven longs, lowest byte first, and a mark.
 *
 * <pre>
 *  tuple's own bytes | rootNs | dueNs | emittedNs | offeredAgainNs | errorNs | enqueuedNs | sentNs | mark
 *                        8        8         8             8             8          8          8       1
 * </pre>
 *
 * {@code enqueuedNs} and {@code sentNs} are the end of serializing at first, and are overwritten when the message is enqueued and sent,
 * {@code sentNs} again by each stream manager on the way. All times are on the sender's clock.
 */
final class StampTrailer {

    static final int LENGTH = 7 * Long.BYTES + 1;

    private static final byte STAMPED = (byte) 0xE1;
    private static final byte NOT_STAMPED = 0;
    private static final int SENT_FROM_END = Long.BYTES + 1;
    private static final int ENQUEUED_FROM_END = 2 * Long.BYTES + 1;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private StampTrailer() {
    }

    static void write(LatencyStamp stamp, long nowNs, Output output) {
        output.writeLong(stamp.rootNs);
        output.writeLong(stamp.dueNs);
        output.writeLong(stamp.emittedNs);
        output.writeLong(stamp.offeredAgainNs);
        output.writeLong(stamp.errorNs);
        output.writeLong(nowNs);
        output.writeLong(nowNs);
        output.writeByte(STAMPED);
    }

    /** Marks a tuple that is not recorded, so that its own last byte cannot be taken for the mark of one that is. */
    static void writeNone(Output output) {
        output.writeByte(NOT_STAMPED);
    }

    /** Whether {@code bytes} end with a stamp; certain only if they are from a serializer of this worker. */
    static boolean ends(byte[] bytes) {
        return ends(bytes, bytes.length);
    }

    /** Like {@link #ends(byte[])}, for the first bytes of an array. */
    static boolean ends(byte[] bytes, int lengthBytes) {
        return lengthBytes >= LENGTH && bytes[lengthBytes - 1] == STAMPED;
    }

    /** The same for the bytes between two indices of a buffer. */
    static boolean ends(ByteBuf buffer, int from, int end) {
        return end - from >= LENGTH && buffer.getByte(end - 1) == STAMPED;
    }

    /** When the process before has sent the message that ends there. */
    static long sentNs(ByteBuf buffer, int end) {
        return buffer.getLongLE(end - SENT_FROM_END);
    }

    static void setSentNs(ByteBuf buffer, int end, long nowNs) {
        buffer.setLongLE(end - SENT_FROM_END, nowNs);
    }

    static long enqueuedNs(byte[] bytes) {
        return (long) LONG.get(bytes, bytes.length - ENQUEUED_FROM_END);
    }

    static void setEnqueuedNs(byte[] bytes, long nowNs) {
        LONG.set(bytes, bytes.length - ENQUEUED_FROM_END, nowNs);
    }

    /** When the sender took the message from its transfer queue; before that, when it had serialized it. */
    static long sentNs(byte[] bytes) {
        return sentNs(bytes, bytes.length);
    }

    static void setSentNs(byte[] bytes, long nowNs) {
        LONG.set(bytes, bytes.length - SENT_FROM_END, nowNs);
    }

    /** Whether there is a stamp, and nothing else, between the input's position and its end. */
    static boolean isNext(Input input) {
        return input.limit() - input.position() == LENGTH && input.getBuffer()[input.limit() - 1] == STAMPED;
    }

    /** When the sender took the message from its transfer queue, on the sender's clock. */
    static long sentNs(Input input) {
        return sentNs(input.getBuffer(), input.limit());
    }

    /** Reads the stamp at the input's position and converts its times to this host's clock. */
    static LatencyStamp read(Input input, WorkerClock sender) {
        long offsetNs = sender.offsetNs();
        long rootNs = input.readLong() - offsetNs;
        long dueNs = here(input.readLong(), offsetNs);
        long emittedNs = input.readLong() - offsetNs;
        long offeredAgainNs = here(input.readLong(), offsetNs);
        LatencyStamp stamp = new LatencyStamp(rootNs, dueNs, emittedNs, input.readLong() + sender.errorBoundNs());
        stamp.offeredAgainNs = offeredAgainNs;
        return stamp;
    }

    private static long sentNs(byte[] bytes, int end) {
        return (long) LONG.get(bytes, end - SENT_FROM_END);
    }

    /** A time that may be missing, on this host's clock. */
    private static long here(long timeNs, long offsetNs) {
        return timeNs == 0 ? 0 : timeNs - offsetNs;
    }
}
