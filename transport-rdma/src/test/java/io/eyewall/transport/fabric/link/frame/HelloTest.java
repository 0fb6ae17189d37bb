package io.eyewall.transport.fabric.link.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelloTest {

    private static final byte[] PROOF = proof();

    @Test
    void shouldDecodeWhatWasEncoded() throws ProtocolException {
        Hello hello = Hello.decode(encoded());
        assertArrayEquals(PROOF, hello.proof());
        assertEquals(65_536, hello.frameBytes());
        assertEquals(16, hello.window());
        assertEquals(-5, hello.linkId());
        assertArrayEquals(new byte[] {1, 2, 3}, hello.endpointName());
    }

    @Test
    void shouldNameTheVersionOfThePeerWhenItDiffers() {
        ByteBuffer bytes = encoded();
        bytes.putShort(4, (short) 9);
        ProtocolException failure = assertThrows(ProtocolException.class, () -> Hello.decode(bytes));
        assertEquals("the peer speaks version 9 of the protocol, this end version 1: run the same version of Eyewall on both hosts",
            failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldRefuseGarbage(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] garbage = new byte[random.nextInt(Hello.MAX_BYTES)];
            random.nextBytes(garbage);
            assertThrows(ProtocolException.class, () -> Hello.decode(ByteBuffer.wrap(garbage)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7, 8})
    void shouldDecodeOrRefuseADamagedHello(long seed) {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            ByteBuffer damaged = encoded();
            int at = random.nextInt(damaged.limit());
            damaged.put(at, (byte) (damaged.get(at) ^ (1 << random.nextInt(8))));
            try {
                assertTrue(Hello.decode(damaged).window() > 0);
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertTrue(refused > 500, "only " + refused + " refused");
    }

    private ByteBuffer encoded() {
        Hello hello = new Hello(PROOF, 65_536, 16, -5, new byte[] {1, 2, 3});
        ByteBuffer bytes = ByteBuffer.allocate(hello.encodedBytes());
        hello.encode(bytes);
        assertFalse(bytes.hasRemaining());
        return bytes.flip();
    }

    private static byte[] proof() {
        byte[] proof = new byte[Hello.PROOF_BYTES];
        new Random(9).nextBytes(proof);
        return proof;
    }
}
