package io.eyewall.client.stream.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ParentContainerTest {

    private static final long WAIT_MS = 60_000;

    @Test
    void shouldNotTakeAnEndForARequestToLeave() throws Exception {
        for (int i = 0; i < 100; i++) {
            ParentContainer parent = parent(new ByteArrayInputStream("secret\n".getBytes(StandardCharsets.US_ASCII)));
            assertFalse(parent.awaitLeave());
            assertEquals("secret", parent.secret());
        }
    }

    @Test
    void shouldSeeTheEndWhileItLeaves() throws Exception {
        PipedInputStream input = new PipedInputStream();
        ParentContainer parent;
        try (PipedOutputStream container = new PipedOutputStream(input)) {
            ParentContainer.sendSecret(container, "secret");
            parent = parent(input);
            ParentContainer.askToLeave(container, ParentContainer.Leave.BEHIND_ALL);
            assertTrue(parent.awaitLeave());
            assertEquals(ParentContainer.Leave.BEHIND_ALL, parent.leave());
            assertTrue(parent.isAlive(1));
        }
        assertFalse(parent.isAlive(WAIT_MS));
        assertFalse(parent.awaitLeave());
    }

    private static ParentContainer parent(InputStream input) throws IOException {
        return new ParentContainer(input, () -> { });
    }
}
