package io.eyewall.client.stream.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/**
 * The first message of an instance: who it is, and the secret that its container gives to the processes that it starts. Immutable.
 *
 * @param instance its id
 * @param secret the secret, {@link #SECRET_BYTES} hexadecimal digits
 */
public record Hello(int instance, String secret) {

    /** The length of a secret. */
    public static final int SECRET_BYTES = 64;
    /** The length of a message. */
    public static final int BYTES = Integer.BYTES + SECRET_BYTES;

    /** Whether this is the secret of the container. The comparison takes the same time however much of it is right. */
    public boolean knows(String expected) {
        return MessageDigest.isEqual(secret.getBytes(StandardCharsets.US_ASCII), expected.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes the message. */
    public void write(ByteBuf to) {
        to.writeInt(instance);
        to.writeCharSequence(secret, StandardCharsets.US_ASCII);
    }

    /**
     * Reads a message.
     *
     * @throws WireException if the bytes are not such a message
     */
    public static Hello read(ByteBuf from) throws WireException {
        if (from.readableBytes() != BYTES) {
            throw new WireException("A greeting of " + from.readableBytes() + " bytes, which must have " + BYTES + ".");
        }
        int instance = from.readInt();
        return new Hello(instance, from.readCharSequence(SECRET_BYTES, StandardCharsets.US_ASCII).toString());
    }
}
