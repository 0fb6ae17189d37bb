package io.eyewall.client.stream.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/**
 * The first message of an instance: who it is, the secret that its container gives to the processes that it starts, and perhaps rings in
 * shared memory that it offers. Immutable.
 *
 * @param instance its id
 * @param tasks the tasks that it runs
 * @param secret the secret, {@link #SECRET_BYTES} hexadecimal digits
 * @param rings the {@linkplain RingPair#name name} of its rings, up to {@link #MAX_NAME_BYTES} characters; empty if it offers none
 */
public record Hello(int instance, Set<Integer> tasks, String secret, String rings) {

    /** The length of a secret. */
    public static final int SECRET_BYTES = 64;
    /** The length of the longest name of rings. */
    public static final int MAX_NAME_BYTES = 128;
    /** The most tasks of an instance; Storm's transport has no numbers for more. */
    private static final int MAX_TASKS = Short.MAX_VALUE;
    private static final int MIN_BYTES = Integer.BYTES + SECRET_BYTES + Integer.BYTES;
    /** The length of the longest message. */
    static final int MAX_BYTES = MIN_BYTES + MAX_TASKS * Integer.BYTES + MAX_NAME_BYTES;

    /** Makes a copy. */
    public Hello {
        tasks = Set.copyOf(tasks);
    }

    /** The greeting of an instance that offers no rings. */
    public Hello(int instance, Set<Integer> tasks, String secret) {
        this(instance, tasks, secret, "");
    }

    /** Whether this is the secret of the container. The comparison takes the same time however much of it is right. */
    public boolean knows(String expected) {
        return MessageDigest.isEqual(secret.getBytes(StandardCharsets.US_ASCII), expected.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes the message. */
    public void write(ByteBuf to) {
        to.writeInt(instance);
        to.writeCharSequence(secret, StandardCharsets.US_ASCII);
        InstanceStatus.write(tasks, to);
        to.writeCharSequence(rings, StandardCharsets.US_ASCII);
    }

    /**
     * Reads a message.
     *
     * @throws WireException if the bytes are not such a message
     */
    public static Hello read(ByteBuf from) throws WireException {
        if (from.readableBytes() < MIN_BYTES || from.readableBytes() > MAX_BYTES) {
            throw new WireException("A greeting of " + from.readableBytes() + " bytes, which must have " + MIN_BYTES + " to " + MAX_BYTES
                + ".");
        }
        int instance = from.readInt();
        String secret = from.readCharSequence(SECRET_BYTES, StandardCharsets.US_ASCII).toString();
        Set<Integer> tasks = InstanceStatus.readSet(from);
        if (from.readableBytes() > MAX_NAME_BYTES) {
            throw new WireException("A greeting with a name of rings of " + from.readableBytes() + " bytes, more than " + MAX_NAME_BYTES
                + ".");
        }
        return new Hello(instance, tasks, secret, from.readCharSequence(from.readableBytes(), StandardCharsets.US_ASCII).toString());
    }
}
