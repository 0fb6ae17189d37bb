package io.eyewall.client.ring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedRingTest {

    private static final int CAPACITY = 64;
    private static final long WRITTEN_AT = 128;
    private static final long READ_AT = 256;
    /** More than Linux counts to. */
    private static final long NO_PROCESS = 4_194_999;

    @TempDir
    private Path folder;
    private SharedRing writer;
    private SharedRing reader;
    private Path file;

    @BeforeEach
    void map() throws IOException {
        file = folder.resolve("file");
        writer = SharedRing.create(file, CAPACITY);
        reader = SharedRing.open(file);
    }

    @AfterEach
    void unmap() {
        writer.close();
        reader.close();
        reader.close();
    }

    @Test
    void shouldKeepBytesInOrderThroughManyRounds() throws IOException {
        Random random = new Random(7);
        byte next = 0;
        byte expected = 0;
        for (int round = 0; round < 10_000; round++) {
            byte[] bytes = new byte[random.nextInt(2 * CAPACITY)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (next + i);
            }
            next += (byte) writer.write(ByteBuffer.wrap(bytes));
            byte[] got = read(random.nextInt(reader.available() + 1));
            for (byte each : got) {
                assertEquals(expected++, each);
            }
        }
    }

    @Test
    void shouldTakeNoMoreThanThereIsSpaceFor() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[CAPACITY + 5]);
        assertEquals(CAPACITY, writer.write(bytes));
        assertEquals(5, bytes.remaining());
        assertEquals(0, writer.write(bytes));
        read(3);
        assertEquals(3, writer.write(bytes));
        assertEquals(CAPACITY, reader.available());
    }

    @Test
    void shouldHaveTheWriterWakeAReaderThatSleepsOnce() throws IOException {
        writer.write(ByteBuffer.wrap(new byte[1]));
        assertFalse(writer.mustWake());
        assertFalse(reader.trySleep());
        assertFalse(writer.mustWake());
        read(1);
        assertTrue(reader.trySleep());
        writer.write(ByteBuffer.wrap(new byte[1]));
        assertTrue(writer.mustWake());
        assertFalse(writer.mustWake());
    }

    @Test
    void shouldKeepTheOtherSidesMemoryWhenOneSideIsClosed() throws IOException {
        writer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        writer.close();
        assertArrayEquals(new byte[] {1, 2, 3}, read(3));
    }

    @Test
    void shouldSayThatNumbersAreWrong() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer wrong = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, CAPACITY + 1);
            channel.write(wrong, WRITTEN_AT);
            assertThrows(IOException.class, () -> reader.available());
            channel.write(wrong.rewind(), READ_AT);
            assertThrows(IOException.class, () -> writer.write(ByteBuffer.wrap(new byte[CAPACITY + 1])));
        }
    }

    @Test
    void shouldRefuseWhatOthersCouldHaveMade() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        assertTrue(assertThrows(IOException.class, () -> SharedRing.open(file)).getMessage().contains("only this worker's user"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThrows(IOException.class, () -> SharedRing.open(link));
        SharedRing.open(file).close();
    }

    @Test
    void shouldHaveAllOfItsMemoryFromTheBeginning() throws IOException {
        assertEquals(4_096 + CAPACITY, Files.readAllBytes(file).length);
        Process blocks = new ProcessBuilder("stat", "-c", "%b %B", file.toString()).start();
        String[] counts = new String(blocks.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip().split(" ", 2);
        assertTrue(Long.parseLong(counts[0]) * Long.parseLong(counts[1]) >= 4_096 + CAPACITY, "a sparse file");
    }

    @Test
    void shouldOutliveItsFile() throws IOException {
        Files.delete(file);
        assertFalse(writer.isAttached());
        reader.attach();
        assertTrue(writer.isAttached());
        writer.write(ByteBuffer.wrap(new byte[] {1, 2}));
        assertArrayEquals(new byte[] {1, 2}, read(2));
    }

    @Test
    void shouldRefuseWhatIsNoRing() throws IOException {
        Path other = Files.write(folder.resolve("other"), new byte[4_096 + CAPACITY]);
        assertTrue(assertThrows(IOException.class, () -> SharedRing.open(other)).getMessage().contains("no ring of this version"));
        Files.write(other, new byte[9]);
        assertTrue(assertThrows(IOException.class, () -> SharedRing.open(other)).getMessage().contains("9 bytes"));
        assertThrows(IOException.class, () -> SharedRing.open(folder.resolve("none")));
    }

    @Test
    void shouldLetOnlyItsUserIntoThePlaceOfARing() throws IOException {
        RingPlace place = RingPlace.create(folder);
        SharedRing.create(place.ring(), CAPACITY);
        assertEquals("rwx------", permissions(place.ring().getParent()));
        assertEquals("rw-------", permissions(place.ring()));
    }

    @Test
    void shouldFindAPlaceByItsNameOnly() throws IOException {
        RingPlace place = RingPlace.create(folder);
        SharedRing.create(place.ring(), CAPACITY);
        assertEquals(place.ring(), RingPlace.find(folder, place.name()).orElseThrow().ring());
        for (String wrong : new String[] {"", ".", "../" + folder.getFileName() + "/" + place.name(), place.name() + "0"}) {
            assertEquals(Optional.empty(), RingPlace.find(folder, wrong));
        }
        place.remove();
        place.remove();
        assertEquals(Optional.empty(), RingPlace.find(folder, place.name()));
        assertFalse(Files.exists(place.ring().getParent()));
    }

    @Test
    void shouldRemoveWhatAKilledWorkerLeft() throws IOException {
        String random = "0".repeat(32);
        String here = RingPlace.create(folder).name().split("-", 5)[2];
        long process = ProcessHandle.current().pid();
        Path left = Files.createDirectory(folder.resolve("eyewall-ring-" + here + "-" + NO_PROCESS + "-" + random));
        Path alive = Files.createDirectory(folder.resolve("eyewall-ring-" + here + "-" + process + "-" + random));
        Path elsewhere = Files.createDirectory(folder.resolve("eyewall-ring-1-" + NO_PROCESS + "-" + random));
        Path longAgo = Files.createDirectory(folder.resolve("eyewall-ring-2-" + NO_PROCESS + "-" + random));
        Path other = Files.createDirectory(folder.resolve("eyewall-ring-3"));
        Files.createFile(left.resolve("ring"));
        Files.setLastModifiedTime(longAgo, FileTime.from(Instant.now().minusSeconds(90)));
        RingPlace.create(folder);
        assertFalse(Files.exists(left));
        assertTrue(Files.exists(alive));
        assertTrue(Files.exists(elsewhere));
        assertFalse(Files.exists(longAgo));
        assertTrue(Files.exists(other));
    }

    private byte[] read(int length) {
        byte[] got = new byte[length + 1];
        reader.read(got, 1, length);
        return Arrays.copyOfRange(got, 1, got.length);
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
