package io.eyewall.tail.clock;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * One packet: a question for the time, or the answer to it. Both have the same length, so that the socket cannot amplify traffic.
 *
 * <pre>
 *  magic | version | kind | 0 | topology | nonce | receivedNs | answeredNs      highest byte first
 *    4        1       1     2      8         8          8            8
 * </pre>
 *
 * @param answer whether this is an answer
 * @param topology identifies the topology of both sides; from {@link #topology(String)}
 * @param nonce the question's random number, which its answer repeats
 * @param receivedNs when the question arrived, on the clock of the side that answers; 0 in a question
 * @param answeredNs when the answer left, on the same clock; 0 in a question
 */
record ClockProbe(boolean answer, long topology, long nonce, long receivedNs, long answeredNs) {

    static final int LENGTH = 40;

    private static final int MAGIC = 0x45574350;
    private static final byte VERSION = 1;
    private static final byte QUESTION = 1;
    private static final byte ANSWER = 2;

    static ClockProbe question(long topology, long nonce) {
        return new ClockProbe(false, topology, nonce, 0, 0);
    }

    /** The answer to this question. */
    ClockProbe answered(long receivedAtNs, long answeredAtNs) {
        return new ClockProbe(true, topology, nonce, receivedAtNs, answeredAtNs);
    }

    /** A number that identifies a topology. It excludes packets of another topology, whose worker had the port before. */
    static long topology(String topologyId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(topologyId.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JVM lacks SHA-256, which every JVM must have: use another one.", e);
        }
    }

    /** Replaces the buffer's contents by this packet, ready to be sent. */
    void write(ByteBuffer buffer) {
        buffer.clear().putInt(MAGIC).put(VERSION).put(answer ? ANSWER : QUESTION).putShort((short) 0)
            .putLong(topology).putLong(nonce).putLong(receivedNs).putLong(answeredNs).flip();
    }

    /** The packet in a buffer; empty if it has another format. */
    static Optional<ClockProbe> read(ByteBuffer buffer) {
        if (buffer.remaining() != LENGTH || buffer.getInt() != MAGIC || buffer.get() != VERSION) {
            return Optional.empty();
        }
        byte kind = buffer.get();
        if (buffer.getShort() != 0 || (kind != QUESTION && kind != ANSWER)) {
            return Optional.empty();
        }
        return Optional.of(new ClockProbe(kind == ANSWER, buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong()));
    }
}
