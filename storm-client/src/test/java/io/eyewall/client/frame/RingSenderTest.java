package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.seam.ConnectionCounters;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingSenderTest {

    @TempDir
    private Path folder;
    private final Counters counters = new Counters(new AtomicInteger(), new AtomicInteger(), new AtomicLong());
    private int broken;
    private final List<BooleanSupplier> behind = new ArrayList<>();
    private final RingSender.Owner owner = new RingSender.Owner() {
        @Override
        public void broken() {
            broken++;
        }

        @Override
        public void behind(BooleanSupplier catchesUp) {
            behind.add(catchesUp);
        }
    };

    @Test
    void shouldSayThatThereIsNoSpaceAndLeaveNothing() throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.toString()) == 0, "needs the right to mount a tmpfs");
        try {
            assertThrows(IOException.class, () -> RingSender.create(folder, counters, owner));
            assertEquals(List.of(), files());
        } finally {
            assertEquals(0, run("umount", folder.toString()));
        }
    }

    @Test
    void shouldSayThatThereIsNoSharedMemory() {
        assertThrows(IOException.class, () -> RingSender.create(folder.resolve("none"), counters, owner));
    }

    @Test
    void shouldLeaveNothingWhenNobodyTakesTheOffer() throws IOException {
        RingSender sender = RingSender.create(folder, counters, owner);
        assertFalse(sender.isAccepted());
        assertEquals(1, files().size());
        assertTrue(sender.withdraw());
        assertEquals(List.of(), files());
        assertTrue(sender.isClosed());
        assertFalse(sender.isAccepted());
        assertFalse(sender.withdraw());
        sender.send(List.of(new TaskMessage(1, new byte[1])));
        assertFalse(sender.isBehind());
        assertCounted(0, 1, 0);
    }

    @Test
    void shouldRingForAThreadThatIsInterrupted() throws IOException {
        RingSender sender = RingSender.create(folder, counters, owner);
        RingPlace place = place(sender);
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
            assertCounted(1, 0, 0);
        }
        assertEquals(0, broken);
        sender.close();
    }

    @Test
    void shouldKeepWhatAFullRingDoesNotTake() throws IOException {
        RingSender sender = RingSender.create(folder, counters, owner);
        RingPlace place = place(sender);
        SharedRing reader = SharedRing.open(place.ring());
        try (SocketChannel bell = SocketChannel.open(UnixDomainSocketAddress.of(place.bell()))) {
            assertFalse(sender.isAccepted());
            reader.attach();
            assertTrue(sender.isAccepted());
            int length = 3 * 1024 * 1024;
            sender.send(List.of(new TaskMessage(1, new byte[1]), new TaskMessage(1, new byte[length])));
            assertCounted(1, 0, 1);
            int left = 1 + length + 2 * RingSender.HEAD_BYTES;
            while (sender.isBehind()) {
                left -= take(reader);
                sender.catchUp();
            }
            assertEquals(left, take(reader));
            assertTrue(bell.isConnected());
            assertCounted(2, 0, 0);
        }
        sender.close();
    }

    @Test
    void shouldAskItsOwnerToCatchUpUntilNothingWaits() throws IOException {
        RingSender sender = RingSender.create(folder, counters, owner);
        RingPlace place = place(sender);
        SharedRing reader = SharedRing.open(place.ring());
        try (SocketChannel bell = SocketChannel.open(UnixDomainSocketAddress.of(place.bell()))) {
            reader.attach();
            assertTrue(sender.isAccepted());
            for (int i = 0; i < 3; i++) {
                sender.forward(List.of(new TaskMessage(1, new byte[1024 * 1024])));
                sender.send(List.of(new TaskMessage(1, new byte[1024 * 1024])));
            }
            assertEquals(1, behind.size(), "it asks once");
            while (!behind.get(0).getAsBoolean()) {
                take(reader);
            }
            assertFalse(sender.isBehind());
            assertCounted(3, 0, 0); // Its connection has counted what was forwarded.
            take(reader);
            sender.send(List.of(new TaskMessage(1, new byte[1024 * 1024])));
            assertEquals(2, behind.size());
            assertCounted(3, 0, 1);
            sender.close();
            assertTrue(behind.get(1).getAsBoolean());
            assertCounted(3, 1, 0);
            assertTrue(bell.isConnected());
        }
    }

    @Test
    void shouldEndTheConnectionWhenTheDoorbellIsGone() throws IOException {
        RingSender sender = RingSender.create(folder, counters, owner);
        RingPlace place = place(sender);
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

    /** Where the other worker finds the ring. */
    private RingPlace place(RingSender sender) throws IOException {
        return RingPlace.find(folder, new String(sender.offer().message(), StandardCharsets.US_ASCII)).orElseThrow();
    }

    private void assertCounted(int sent, int lost, int pending) {
        assertEquals(List.of(sent, lost, pending),
            List.of(counters.getMessagesSent().get(), counters.getMessagesLost().get(), counters.getPendingMessages().intValue()));
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

    /** As a connection of Storm's has them. */
    private record Counters(AtomicInteger getMessagesSent, AtomicInteger getMessagesLost, AtomicLong getPendingMessages)
            implements ConnectionCounters {
    }
}
