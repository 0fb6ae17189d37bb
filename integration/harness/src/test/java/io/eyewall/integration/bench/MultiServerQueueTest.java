package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MultiServerQueueTest {

    @Test
    void shouldHaveTheMeanOfOneServer() {
        assertEquals(5_000, new MultiServerQueue(1, 1_000).meanNs(0.8), 1e-6, "service time over what is left of the server");
        assertEquals(1_000, new MultiServerQueue(1, 1_000).meanNs(0), 1e-6);
    }

    @Test
    void shouldHaveTheMeanOfFourServers() {
        // Erlang C of four servers and a load of 3.2 is 0.5964 in the tables.
        assertEquals(1_000 + 1_000 * 0.5964 / 0.8, new MultiServerQueue(4, 1_000).meanNs(0.8), 0.1);
    }
}
