package io.eyewall.integration.bench.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FiPingpongTest {

    @Test
    void shouldReadTheTimePerTransfer() throws IOException {
        assertEquals(12.34, FiPingpong.microseconds("""
            bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
            64      5k      =5k      625k        0.06s      5.18      12.34       0.08
            """, 64));
    }

    @Test
    void shouldShowWhatItCannotRead() {
        IOException failure = assertThrows(IOException.class, () -> FiPingpong.microseconds("connect(): Connection refused", 64));
        assertEquals("fi_pingpong printed no figures for 64 bytes: connect(): Connection refused", failure.getMessage());
    }
}
