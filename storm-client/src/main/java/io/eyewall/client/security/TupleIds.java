package io.eyewall.client.security;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The ids of tuples and of their trees: AES in counter mode with a key that nobody has. Upstream's are those of {@link Random}, of which
 * one tells all that follow: whoever sees a tuple could ack or fail what others emit. Safe for any thread; an executor's own thread asks.
 */
public final class TupleIds extends Random {

    private static final long serialVersionUID = 1L;

    private static final int BLOCK_BYTES = 16;
    private static final byte[] ZEROS = new byte[4_096];

    private final transient Cipher cipher;
    private final transient ByteBuffer numbers = ByteBuffer.allocate(ZEROS.length).limit(0);

    private TupleIds() {
        byte[] key = new byte[BLOCK_BYTES];
        new SecureRandom().nextBytes(key);
        try {
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[BLOCK_BYTES]));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JVM lacks AES, which every JVM must have: use another one.", e);
        }
    }

    /** In place of {@code new Random(long)} in the constructor of {@code Executor}. */
    public static Random of(long unusedSeed) {
        return new TupleIds();
    }

    @Override
    public synchronized long nextLong() {
        return atLeast(Long.BYTES).getLong();
    }

    @Override
    protected synchronized int next(int bits) {
        return atLeast(Integer.BYTES).getInt() >>> (Integer.SIZE - bits);
    }

    /** What is left of the numbers, or new ones. */
    private ByteBuffer atLeast(int bytes) {
        if (numbers.remaining() < bytes) {
            try {
                cipher.update(ZEROS, 0, ZEROS.length, numbers.array());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("AES in counter mode needs as much space as it takes.", e);
            }
            numbers.clear();
        }
        return numbers;
    }
}
