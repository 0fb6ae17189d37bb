package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.eyewall.client.ring.SharedRing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingMessagesTest {

    private static final int CAPACITY_BYTES = 4_096;
    private static final int MOST_BYTES = 256 << 20;

    @TempDir
    private Path folder;
    private SharedRing writer;
    private RingMessages reader;
    private final List<Object> messages = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        writer = SharedRing.create(folder.resolve("ring"), CAPACITY_BYTES);
        reader = new RingMessages(SharedRing.open(folder.resolve("ring")), MOST_BYTES);
    }

    @AfterEach
    void close() {
        reader.close();
        writer.close();
    }

    @Test
    void shouldAllocateLittleForALengthWhoseBytesAreNotThere() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        writer.write(head(1, MOST_BYTES));
        writer.write(ByteBuffer.allocate(100));
        long before = threads.getCurrentThreadAllocatedBytes();
        assertEquals(RingSender.HEAD_BYTES + 100, reader.read(messages));
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 1 << 20, () -> allocated + " bytes");
        assertEquals(List.of(), messages);
    }

    @Test
    void shouldReadMessagesOfAllLengthsInParts() throws IOException {
        Random random = new Random(7);
        for (int lengthBytes : new int[] {0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_000}) {
            byte[] content = new byte[lengthBytes];
            random.nextBytes(content);
            write(head(lengthBytes + 1, lengthBytes));
            write(ByteBuffer.wrap(content));
            reader.read(messages);
            TaskMessage message = (TaskMessage) messages.remove(0);
            assertEquals(lengthBytes + 1, message.task());
            assertArrayEquals(content, message.message());
            assertEquals(List.of(), messages);
        }
    }

    @Test
    void shouldRefuseALengthBeyondTheLimit() throws IOException {
        write(head(1, MOST_BYTES + 1));
        String refused = assertThrows(IOException.class, () -> reader.read(messages)).getMessage();
        assertTrue(refused.contains("raise storm.messaging.netty.max.message.bytes"), refused);
    }

    /** Writes all of the bytes; reads when there is no more space. */
    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (writer.write(bytes) == 0) {
                reader.read(messages);
            }
        }
    }

    private static ByteBuffer head(int task, int lengthBytes) {
        return ByteBuffer.allocate(RingSender.HEAD_BYTES).putInt(task).putInt(lengthBytes).flip();
    }
}
