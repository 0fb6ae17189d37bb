package io.eyewall.client.stream.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.channel.WriteBufferWaterMark;
import org.apache.storm.shade.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sides in one thread and in virtual time. What each of them and the kernel between them do next follows from a seed. */
class RingChannelTest {

    private static final int RING_BYTES = 1 << 10;
    private static final int MAX_MESSAGE_BYTES = 3 * RING_BYTES;
    private static final int SEEDS = 400;
    private static final int STEPS = 400;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    @TempDir
    private Path memory;
    private final List<RingPair> all = new ArrayList<>();
    private Side instance;
    private Side manager;

    @AfterEach
    void close() {
        all.forEach(RingPair::close);
    }

    private void connect() throws IOException {
        RingPair offered = RingPair.create(memory, RING_BYTES);
        instance = new Side(offered);
        RingPair opened = RingPair.open(memory, offered.name());
        manager = new Side(opened);
        all.addAll(List.of(offered, opened));
        instance.other = manager;
        manager.other = instance;
    }

    @Test
    void shouldBringEverythingInOrderWhateverComesWhen() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            connect();
            Random random = new Random(seed);
            for (int step = 0; step < STEPS; step++) {
                step(random);
            }
            settle();
            for (Side side : List.of(instance, manager)) {
                assertNull(side.failure, "seed " + seed);
                assertTrue(side.written > 0);
                assertEquals(side.written, side.carried, "seed " + seed);
                assertEquals(side.written, side.other.received, "seed " + seed);
                side.pass();
                assertEquals(-1, side.socket.runScheduledPendingTasks(), "it sleeps, and does not look again and again");
            }
            instance.die();
            manager.hangUp();
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldReadWhatWasWrittenBeforeTheOtherSideDied() throws IOException {
        int unread = 0;
        int cutOff = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            connect();
            Random random = new Random(seed);
            for (int step = random.nextInt(STEPS); step > 0; step--) {
                step(random);
            }
            Side dies = random.nextBoolean() ? instance : manager;
            unread += dies.carried - dies.other.received;
            cutOff += dies.written - dies.carried;
            dies.die();
            for (int step = random.nextInt(5); step > 0; step--) {
                step(random, dies.other);
            }
            dies.other.hangUp();

            assertNull(dies.other.failure, "seed " + seed);
            assertEquals(dies.carried, dies.other.received, "seed " + seed);
            assertFalse(dies.other.channel.isOpen());
            assertEquals(dies.other.written, dies.other.carried + dies.other.refused, "seed " + seed);
        }
        assertTrue(unread > SEEDS / 10 && cutOff > SEEDS / 10, unread + " unread, " + cutOff + " cut off");
        assertNothingIsLeft();
    }

    @Test
    void shouldReadWhatWasWrittenBeforeTheOtherSideClosed() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            connect();
            Random random = new Random(seed);
            for (int step = random.nextInt(STEPS); step > 0; step--) {
                step(random);
            }
            Side closes = random.nextBoolean() ? instance : manager;
            Future<Void> unused = closes.channel.close();
            closes.socket.runPendingTasks();
            assertFalse(closes.socket.isOpen(), "the other side sees the end");
            closes.other.hangUp();

            assertEquals(closes.carried, closes.other.received, "seed " + seed);
            assertEquals(closes.written, closes.carried + closes.refused, "seed " + seed);
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldGiveOthersATurnAfterAsMuchAsARingHolds() throws IOException {
        connect();
        List<Integer> seen = new ArrayList<>();
        manager.onMessage = () -> {
            if (seen.isEmpty()) {
                seen.add(0);
                Future<?> unused = manager.socket.eventLoop().schedule(() -> seen.set(0, manager.received), 0, TimeUnit.NANOSECONDS);
            }
            if (instance.written < 1_000) {
                instance.write(96);
            }
        };
        for (int i = 0; i < 5; i++) {
            instance.write(96);
        }
        settle();

        assertEquals(List.of(RING_BYTES / (96 + Integer.BYTES)), seen);
        assertEquals(1_000, manager.received);
    }

    @Test
    void shouldCountWhatFindsNoSpaceAsWaiting() throws IOException {
        connect();
        instance.channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(RING_BYTES, 2 * RING_BYTES));
        manager.channel.config().setAutoRead(false);
        for (int i = 0; i < 40; i++) {
            instance.write(96);
        }
        manager.socket.runPendingTasks();

        assertFalse(instance.channel.isWritable());
        long waiting = instance.channel.unsafe().outboundBuffer().totalPendingWriteBytes();
        assertTrue(waiting >= 40 * 100 - RING_BYTES, waiting + " bytes wait");
        assertEquals(MS, instance.socket.runScheduledPendingTasks(), "it looks after a millisecond");
        assertEquals(0, manager.received);

        manager.channel.config().setAutoRead(true);
        settle();
        assertTrue(instance.channel.isWritable());
        assertEquals(40, manager.received);
    }

    @Test
    void shouldCloseWhenTheOtherSideBreaksTheRing() throws Exception {
        RingPair offered = RingPair.create(memory, RING_BYTES);
        Path file = memory.resolve(offered.name()).resolve("ring");
        byte[] wrong = Files.readAllBytes(file);
        wrong[128 + 5] = 1; // More was written than it holds.
        Files.write(file, wrong, StandardOpenOption.WRITE);
        manager = new Side(RingPair.open(memory, offered.name()));
        manager.socket.runPendingTasks();

        assertTrue(manager.failure instanceof IOException, () -> "" + manager.failure);
        assertFalse(manager.channel.isOpen());
        assertFalse(manager.socket.isOpen());
        offered.close();
        assertNothingIsLeft();
    }

    @Test
    void shouldLeaveNothingBehindWhenThereIsNoRing() throws IOException {
        assertThrows(IOException.class, () -> RingPair.create(memory.resolve("missing")));
        assertThrows(IOException.class, () -> RingPair.open(memory, "eyewall-ring-1-1-" + "0".repeat(32)));
        assertThrows(IOException.class, () -> RingPair.open(memory, "../" + memory.getFileName()));
        RingPair half = RingPair.create(memory, RING_BYTES);
        Files.delete(memory.resolve(half.name()).resolve("back"));
        assertThrows(IOException.class, () -> RingPair.open(memory, half.name()));
        half.close();
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> left = Files.list(memory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private void step(Random random) {
        step(random, random.nextBoolean() ? instance : manager);
    }

    private static void step(Random random, Side side) {
        int kind = random.nextInt(12);
        if (kind < 4) {
            side.write(random.nextInt(5) == 0 ? random.nextInt(MAX_MESSAGE_BYTES) : random.nextInt(100) + Integer.BYTES);
        } else if (kind < 7) {
            side.socket.runPendingTasks();
        } else if (kind < 9) {
            side.takeSign();
        } else if (kind == 9) {
            side.channel.config().setAutoRead(random.nextInt(3) > 0);
        } else {
            side.pass();
        }
    }

    /** Everybody reads, and goes on until nobody does anything any more. Time passes only while something waits for space. */
    private void settle() {
        instance.channel.config().setAutoRead(true);
        manager.channel.config().setAutoRead(true);
        boolean goesOn = true;
        for (int rounds = 0; goesOn; rounds++) {
            assertTrue(rounds < 100_000, "it goes on for ever");
            instance.socket.runPendingTasks();
            manager.socket.runPendingTasks();
            goesOn = instance.takeSign();
            goesOn |= manager.takeSign();
            if (!goesOn && (instance.isBehind() || manager.isBehind())) {
                instance.pass();
                manager.pass();
                goesOn = true;
            }
        }
    }

    /** One process. */
    private static final class Side {
        private final EmbeddedChannel socket = new EmbeddedChannel();
        private final RingChannel channel;
        private Side other;
        private Runnable onMessage = () -> { };
        private Throwable failure;
        private int written;
        /** How many messages the ring has taken. */
        private int carried;
        private int refused;
        private int received;
        private boolean isDead;

        Side(RingPair rings) {
            socket.freezeTime();
            channel = RingChannel.over(socket, rings);
            channel.pipeline().addLast(StreamWire.splitter(), new SimpleChannelInboundHandler<ByteBuf>() {
                @Override
                protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
                    int length = message.readInt();
                    assertEquals(length, message.readableBytes());
                    assertEquals(received++, message.readInt());
                    while (message.isReadable()) {
                        assertEquals((byte) length, message.readByte());
                    }
                    onMessage.run();
                }

                @Override
                public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                    failure = cause;
                }
            });
        }

        /** Sends a message with so many bytes behind its length, at least those of its number. */
        void write(int bytes) {
            int length = Math.max(bytes, Integer.BYTES);
            ByteBuf message = Unpooled.buffer(Integer.BYTES + length).writeInt(length).writeInt(written++);
            while (message.writerIndex() < Integer.BYTES + length) {
                message.writeByte(length);
            }
            Future<?> unused = channel.writeAndFlush(message).addListener(done -> {
                if (done.isSuccess()) {
                    carried++;
                } else {
                    refused++;
                }
            });
        }

        /** Has a sign of the other side arrive; returns whether there was one. */
        boolean takeSign() {
            ByteBuf sign = other.socket.readOutbound();
            if (sign != null) {
                socket.pipeline().fireChannelRead(sign);
            }
            return sign != null;
        }

        boolean isBehind() {
            return channel.unsafe().outboundBuffer() != null && !channel.unsafe().outboundBuffer().isEmpty();
        }

        void pass() {
            socket.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            socket.runPendingTasks();
        }

        /** Does nothing any more. What it has written stays in the memory of the other side. */
        void die() {
            isDead = true;
        }

        /** The kernel says that the other side has ended. */
        void hangUp() {
            assertFalse(isDead);
            socket.pipeline().fireChannelInactive();
            socket.runPendingTasks();
        }
    }
}
