package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.client.ring.SharedRing;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a ring, its reader gets messages or an I/O error, and allocates no more than has come. */
class RingMessagesFuzzTest {

    private static final int CAPACITY_BYTES = 4_096;
    private static final int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
    /** Where the numbers of the head are, and what is between them. */
    private static final int NUMBERS_BYTES = 600;
    private static final long MAX_ALLOCATED_BYTES = 512 * 1024;

    @TempDir
    private Path temporary;
    private Path file;
    private SharedRing writer;
    private SharedRing reader;
    private int files;

    @BeforeEach
    void make() throws IOException {
        Path folder = temporary.resolve("ring-" + files++);
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        file = folder.resolve("ring");
        writer = SharedRing.create(file, CAPACITY_BYTES);
        reader = SharedRing.open(file);
    }

    @AfterEach
    void close() {
        writer.close();
        reader.close();
    }

    @Test
    void shouldReadMessagesOrFailByAnIoErrorWhateverIsInTheRing() throws IOException {
        Random random = new Random(7);
        Fuzz fuzz = new Fuzz(11, List.of(message(1, 0), message(-700, 100), message(RingSender.OFFER_TASK, 57),
            message(RingSender.SWITCH_TASK, 0), message(Integer.MAX_VALUE, CAPACITY_BYTES / 2)));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int failures = 0;
        int read = 0;
        RingMessages messages = new RingMessages(reader, MAX_MESSAGE_BYTES);
        for (int i = 0; i < Fuzz.INPUTS; i++) {
            ByteBuffer input = ByteBuffer.wrap(fuzz.next());
            List<Object> got = new ArrayList<>();
            try {
                while (input.hasRemaining()) {
                    ByteBuffer piece = input.slice(input.position(), 1 + random.nextInt(input.remaining()));
                    input.position(input.position() + writer.write(piece));
                    long before = threads.getCurrentThreadAllocatedBytes();
                    messages.read(got);
                    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
                    assertTrue(allocated < MAX_ALLOCATED_BYTES, () -> allocated + " bytes allocated for a piece");
                }
                read += got.size();
            } catch (IOException e) {
                assertTrue(e.getMessage().startsWith("A peer announced a message of "), e::getMessage);
                failures++;
                messages = new RingMessages(reader, MAX_MESSAGE_BYTES); // As after a reconnection, with what is left in the ring.
            }
            if (i % 10 == 9) {
                close();
                make();
                messages = new RingMessages(reader, MAX_MESSAGE_BYTES);
            }
        }
        assertTrue(failures > 0 && read > failures, failures + " failures and " + read + " messages");
    }

    @Test
    void shouldFailByAnIoErrorOrReadNoMoreThanTheRingHoldsWhateverItsNumbersAre() throws IOException {
        Random random = new Random(13);
        int failures = 0;
        for (int i = 0; i < 1_000; i++) {
            byte[] numbers = new byte[NUMBERS_BYTES];
            if (random.nextBoolean()) {
                random.nextBytes(numbers);
            } else { // A number that could be right, with garbage behind it.
                ByteBuffer.wrap(numbers).order(ByteOrder.nativeOrder()).putLong(128, random.nextInt(2 * CAPACITY_BYTES));
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(numbers), 0);
            }
            RingMessages messages = new RingMessages(reader, MAX_MESSAGE_BYTES);
            try {
                assertTrue(messages.read(new ArrayList<>()) <= CAPACITY_BYTES);
            } catch (IOException e) {
                assertTrue(e.getMessage().matches("A ring of 4096 bytes cannot have .* to read\\.|A peer announced a message of .*"),
                    e::getMessage);
                failures++;
            }
            close();
            make();
        }
        assertTrue(failures > 0 && failures < 1_000, failures + " failures");
    }

    @Test
    void shouldKeepAMessageThatIsCutOffAndRefuseOneThatIsTooLong() throws IOException {
        RingMessages messages = new RingMessages(reader, MAX_MESSAGE_BYTES);
        List<Object> got = new ArrayList<>();
        byte[] large = new byte[10 * CAPACITY_BYTES];
        new Random(17).nextBytes(large);
        ByteBuffer bytes = ByteBuffer.allocate(RingSender.HEAD_BYTES + large.length).putInt(7).putInt(large.length).put(large).flip();
        while (bytes.hasRemaining()) {
            assertEquals(List.of(), got);
            writer.write(bytes);
            messages.read(got);
        }
        assertEquals(7, ((TaskMessage) got.get(0)).task());
        assertArrayEquals(large, ((TaskMessage) got.get(0)).message());
        writer.write(ByteBuffer.allocate(RingSender.HEAD_BYTES).putInt(7).putInt(MAX_MESSAGE_BYTES + 1).flip());
        IOException failure = assertThrows(IOException.class, () -> messages.read(got));
        assertTrue(failure.getMessage().contains(String.valueOf(MAX_MESSAGE_BYTES + 1)), failure.getMessage());
    }

    private static byte[] message(int task, int lengthBytes) {
        return ByteBuffer.allocate(RingSender.HEAD_BYTES + lengthBytes).putInt(task).putInt(lengthBytes).array();
    }
}
