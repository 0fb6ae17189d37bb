package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingSenderTest {

    @TempDir
    private Path folder;
    private int broken;

    @Test
    void shouldSayThatThereIsNoSpaceAndLeaveNothing() throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.toString()) == 0, "needs the right to mount a tmpfs");
        try {
            assertThrows(IOException.class, () -> RingSender.create(folder, () -> broken++));
            assertEquals(List.of(), files());
        } finally {
            assertEquals(0, run("umount", folder.toString()));
        }
    }

    @Test
    void shouldSayThatThereIsNoSharedMemory() {
        assertThrows(IOException.class, () -> RingSender.create(folder.resolve("none"), () -> broken++));
    }

    @Test
    void shouldLeaveNothingWhenNobodyTakesTheOffer() throws IOException {
        RingSender sender = RingSender.create(folder, () -> broken++);
        assertFalse(sender.isAccepted());
        assertEquals(1, files().size());
        assertTrue(sender.withdraw());
        assertEquals(List.of(), files());
        assertTrue(sender.isClosed());
        assertFalse(sender.isAccepted());
        assertFalse(sender.withdraw());
        sender.send(List.of(new TaskMessage(1, new byte[1])));
        assertFalse(sender.isBehind());
    }

    @Test
    void shouldRingForAThreadThatIsInterrupted() throws IOException {
        RingSender sender = RingSender.create(folder, () -> broken++);
        RingPlace place = RingPlace.find(folder, new String(sender.offer().message(), StandardCharsets.US_ASCII)).orElseThrow();
        SharedRing reader = SharedRing.open(place.ring());
        try (SocketChannel bell = SocketChannel.open(UnixDomainSocketAddress.of(place.bell()))) {
            reader.attach();
            assertTrue(sender.isAccepted());
            assertFalse(sender.withdraw());
            assertTrue(reader.trySleep());
            Thread.currentThread().interrupt();
            sender.send(List.of(new TaskMessage(1, new byte[1])));
            assertTrue(Thread.interrupted());
            assertEquals(1, bell.read(ByteBuffer.allocate(2)));
        }
        assertEquals(0, broken);
        sender.close();
    }

    @Test
    void shouldKeepWhatAFullRingDoesNotTake() throws IOException {
        RingSender sender = RingSender.create(folder, () -> broken++);
        RingPlace place = RingPlace.find(folder, new String(sender.offer().message(), StandardCharsets.US_ASCII)).orElseThrow();
        SharedRing reader = SharedRing.open(place.ring());
        try (SocketChannel bell = SocketChannel.open(UnixDomainSocketAddress.of(place.bell()))) {
            assertFalse(sender.isAccepted());
            reader.attach();
            assertTrue(sender.isAccepted());
            int length = 3 * 1024 * 1024;
            sender.send(List.of(new TaskMessage(1, new byte[length])));
            int left = length + RingSender.HEAD_BYTES;
            while (sender.isBehind()) {
                left -= take(reader);
                sender.catchUp();
            }
            assertEquals(left, take(reader));
            assertTrue(bell.isConnected());
        }
        sender.close();
    }

    @Test
    void shouldEndTheConnectionWhenTheDoorbellIsGone() throws IOException {
        RingSender sender = RingSender.create(folder, () -> broken++);
        RingPlace place = RingPlace.find(folder, new String(sender.offer().message(), StandardCharsets.US_ASCII)).orElseThrow();
        SharedRing reader = SharedRing.open(place.ring());
        SocketChannel bell = SocketChannel.open(UnixDomainSocketAddress.of(place.bell()));
        reader.attach();
        assertTrue(sender.isAccepted());
        assertTrue(reader.trySleep());
        bell.close();
        sender.send(List.of(new TaskMessage(1, new byte[1])));
        assertEquals(1, broken);
        assertTrue(sender.isClosed());
        assertFalse(sender.isBehind());
    }

    private static int take(SharedRing reader) throws IOException {
        int available = reader.available();
        reader.read(new byte[available], 0, available);
        return available;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }
}
