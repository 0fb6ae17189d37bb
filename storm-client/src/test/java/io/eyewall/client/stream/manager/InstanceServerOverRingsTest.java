package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.RingChannel;
import io.eyewall.client.stream.wire.StreamWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same with rings in shared memory, and what is special about them. */
class InstanceServerOverRingsTest extends InstanceServerTest {

    private static final String PREFIX = "eyewall-ring-";
    private Optional<Path> memory = Optional.of(RingPlace.SHARED_MEMORY);

    @Override
    Optional<Path> sharedMemory() {
        return memory;
    }

    @AfterEach
    void assertNothingIsLeft() throws IOException {
        String own = "-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> all = Files.list(RingPlace.SHARED_MEMORY)) {
            assertEquals(List.of(), all.filter(path -> path.toString().contains(PREFIX) && path.toString().contains(own)).toList());
        }
    }

    @Test
    void shouldPassOnEverythingThatAnInstanceHadSentWhenItDied() throws Exception {
        ConnectedInstance sink = instance(SINK);
        Random random = new Random(11);
        for (int round = 0; round < 20; round++) {
            ConnectedInstance dying = instance(SOURCE);
            dying.awaitReachable(SINK);
            int messages = 1 + random.nextInt(30);
            ByteBuf last = null;
            for (int i = 0; i < messages; i++) {
                last = StreamWire.message(dying.channel.alloc(), SINK, new TaskMessage(i, new byte[random.nextInt(40_000)]));
                Future<?> unused = dying.channel.write(last);
            }
            assertTrue(last != null);
            Future<?> unused = dying.channel.writeAndFlush(dying.channel.alloc().buffer(0)).sync();
            unused = dying.channel.parent().close().sync(); // As the kernel does for a process that is killed.

            for (int i = 0; i < messages; i++) {
                assertEquals(i, StreamWire.tuples(sink.awaitTuples()).task());
            }
            dying.awaitClosed();
        }
    }

    @Test
    void shouldGiveARestartedInstanceNewRings() throws Exception {
        ConnectedInstance spout = instance(SPOUT);
        ConnectedInstance stalled = instance(STALLED);
        spout.awaitReachable(STALLED);
        stalled.channel.config().setAutoRead(false);
        spout.send(StreamWire.message(spout.channel.alloc(), STALLED, new TaskMessage(1, new byte[9])));

        ConnectedInstance next = instance(STALLED);
        stalled.awaitClosed();
        assertTrue(stalled.channel instanceof RingChannel && next.channel instanceof RingChannel);
        spout.send(StreamWire.message(spout.channel.alloc(), STALLED, new TaskMessage(2, new byte[9])));

        assertEquals(2, StreamWire.tuples(next.awaitTuples()).task(), "the ring of the old one is gone");
    }

    @Test
    void shouldUseTheSocketAndWarnOnceWhereThereIsNoSharedMemory(@TempDir Path directory) throws Exception {
        memory = Optional.of(directory.resolve("missing"));
        assertPasses();
        try (LogLines warnings = new LogLines(Level.WARN)) {
            Introduction introduction = new Introduction(SPOUT, Set.of(SPOUT), SECRET, memory);
            connect(introduction).awaitReachable(SPOUT);
            connect(introduction).awaitReachable(SPOUT);
            assertEquals("{" + Introduction.class.getName() + "=1}", warnings.toString());
        }
    }

    @Test
    void shouldUseTheSocketWhereTheStreamManagerHasNotTheSameMemory(@TempDir Path directory) throws Exception {
        memory = Optional.of(directory);
        assertPasses();
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private ConnectedInstance instance(int id) throws Exception {
        return connect(new Introduction(id, Set.of(id), SECRET, memory));
    }

    private void assertPasses() throws Exception {
        ConnectedInstance spout = instance(SPOUT);
        ConnectedInstance sink = instance(SINK);
        assertFalse(spout.channel instanceof RingChannel);
        spout.awaitReachable(SINK);
        spout.sendLater(SINK, 100);
        sink.awaitTuples(100);
    }
}
