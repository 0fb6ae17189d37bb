package io.eyewall.client.stream.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.ByteBufAllocator;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.shade.io.netty.buffer.UnpooledByteBufAllocator;
import org.apache.storm.shade.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.storm.shade.io.netty.handler.codec.DecoderException;
import org.apache.storm.shade.io.netty.handler.codec.TooLongFrameException;
import org.junit.jupiter.api.Test;

class StreamWireTest {

    /** Without a look-out for buffers that are not given back, since those of a test go to the garbage collector. */
    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(false, true);
    private static final InstanceStatus STATUS = new InstanceStatus(Set.of(3, 70_000), new Moves(Set.of(8), Set.of(9, 10), Set.of(11),
        Long.MAX_VALUE, Set.of(1L, Long.MIN_VALUE), Map.of(8, -1L, 70_000, 7L), Set.of(7L, Long.MIN_VALUE)), Set.of(5), Set.of(),
        Map.of(5, 0.75, 6, 0.0));

    private final Announced announced = new Announced();

    @Test
    void shouldPassTuplesOnAsTheyAre() throws WireException {
        byte[] bytes = {1, 2, 3};
        ByteBuf message = split(StreamWire.message(BUFFERS, 40_000, new TaskMessage(-700, bytes)));

        assertEquals(StreamWire.DATA, StreamWire.type(message));
        assertEquals(40_000, StreamWire.target(message));
        TaskMessage over = StreamWire.forContainer(message);
        assertEquals(40_000, over.task());
        ByteBuf there = split(StreamWire.fromContainer(BUFFERS, over));
        assertEquals(message, there);
        TaskMessage arrived = StreamWire.tuples(there);
        assertEquals(-700, arrived.task());
        assertArrayEquals(bytes, arrived.message());
    }

    @Test
    void shouldKeepNoLargeBufferForASmallMessage() {
        ByteBuf small = StreamWire.message(BUFFERS, 4, new TaskMessage(5, new byte[100]));
        ByteBuf large = StreamWire.message(BUFFERS, 4, new TaskMessage(5, new byte[40_000]));
        ByteBuf arrived = BUFFERS.directBuffer(64 << 10).writeBytes(small.duplicate()).writeBytes(large.duplicate());
        EmbeddedChannel channel = new EmbeddedChannel(new ForwardingSplitter(announced));

        channel.writeInbound(arrived);
        ByteBuf first = channel.readInbound();
        ByteBuf second = channel.readInbound();

        assertEquals(large, second);
        assertEquals(1, arrived.refCnt(), "the large one is in it");
        second.release();
        assertEquals(0, arrived.refCnt());
        assertEquals(small, first);
    }

    @Test
    void shouldAnnounceALargeMessageBeforeAllOfItIsHere() {
        EmbeddedChannel channel = new EmbeddedChannel(new ForwardingSplitter(announced));
        ByteBuf small = StreamWire.message(BUFFERS, 4, new TaskMessage(5, new byte[60_000]));
        ByteBuf large = StreamWire.message(BUFFERS, 4, new TaskMessage(5, new byte[100_000]));
        int largeBytes = large.readableBytes();

        channel.writeInbound(small.readBytes(30_000));
        channel.writeInbound(small, large.copy(), large.readBytes(8));
        assertEquals(List.of(), announced.all, "it is small, or here");
        channel.writeInbound(large.readBytes(1), large.readBytes(50_000));
        assertEquals(List.of("begins " + largeBytes + " for 4"), announced.all);
        channel.writeInbound(large);
        assertEquals(List.of("begins " + largeBytes + " for 4", "ends"), announced.all);
        assertEquals(3, channel.inboundMessages().size());
    }

    @Test
    void shouldTakeNoMessageThatAStreamManagerCannotHold() {
        EmbeddedChannel channel = new EmbeddedChannel(new ForwardingSplitter(announced));

        assertThrows(TooLongFrameException.class, () -> channel.writeInbound(Unpooled.buffer().writeInt(33 << 20).writeByte(1)));
        assertEquals(List.of(), announced.all);
    }

    @Test
    void shouldKnowWhatAStreamManagerTakes() {
        byte[] bytes = new byte[ForwardingSplitter.MAX_BYTES];
        TaskMessage most = new TaskMessage(5, Arrays.copyOf(bytes, bytes.length - 11));
        EmbeddedChannel channel = new EmbeddedChannel(new ForwardingSplitter(announced));

        assertTrue(StreamWire.fits(most));
        assertTrue(channel.writeInbound(StreamWire.message(BUFFERS, 4, most)));
        assertFalse(StreamWire.fits(new TaskMessage(5, Arrays.copyOf(bytes, bytes.length - 10))));
    }

    @Test
    void shouldReadTheStatusThatWasWritten() throws WireException {
        ByteBuf message = split(StreamWire.message(BUFFERS, STATUS));

        assertEquals(StreamWire.STATUS, StreamWire.type(message));
        assertEquals(STATUS, InstanceStatus.read(StreamWire.content(message)));
    }

    @Test
    void shouldKnowWhoHasTheSecretOfTheContainer() throws WireException {
        String secret = "0123456789abcdef".repeat(Hello.SECRET_BYTES / 16);
        ByteBuf message = split(StreamWire.message(BUFFERS, new Hello(7, Set.of(7, 40_000), secret)));

        assertEquals(StreamWire.HELLO, StreamWire.type(message));
        Hello hello = Hello.read(StreamWire.content(message));
        assertEquals(7, hello.instance());
        assertEquals(Set.of(7, 40_000), hello.tasks());
        assertTrue(hello.knows(secret));
        assertFalse(hello.knows("1" + secret.substring(1)));
        assertEquals("", hello.rings());
    }

    @Test
    void shouldReadTheNameOfRingsThatAreOffered() throws WireException {
        Hello offers = new Hello(7, Set.of(7), "0".repeat(Hello.SECRET_BYTES), "r".repeat(Hello.MAX_NAME_BYTES));
        EmbeddedChannel channel = new EmbeddedChannel(StreamWire.greetingSplitter());
        assertTrue(channel.writeInbound(StreamWire.message(BUFFERS, offers)));
        assertEquals(offers, Hello.read(StreamWire.content(channel.readInbound())));
    }

    @Test
    void shouldTakeNothingLongFromAStranger() {
        EmbeddedChannel channel = new EmbeddedChannel(StreamWire.greetingSplitter());

        assertThrows(TooLongFrameException.class, () -> channel.writeInbound(Unpooled.buffer().writeInt(1 << 30).writeByte(1)));
    }

    @Test
    void shouldReportBytesThatAreNoMessage() {
        int refused = 0;
        int runs = 20_000;
        for (int seed = 0; seed < runs; seed++) {
            Random random = new Random(seed);
            ByteBuf message = seed % 2 == 0 ? StreamWire.message(BUFFERS, STATUS)
                : StreamWire.message(BUFFERS, new Hello(7, Set.of(7), "0".repeat(Hello.SECRET_BYTES)));
            ByteBuf changed = message.copy(0, random.nextInt(message.readableBytes() + 1));
            for (int i = 0; i < changed.readableBytes() / 8; i++) {
                changed.setByte(random.nextInt(changed.readableBytes()), random.nextInt());
            }
            try {
                read(changed);
            } catch (WireException e) {
                refused++;
            }
        }
        assertTrue(refused > runs / 2, refused + " of " + runs);
    }

    @Test
    void shouldAllocateNothingByALengthThatWasAnnounced() {
        ByteBuf content = Unpooled.buffer().writeInt(Integer.MAX_VALUE).writeInt(1);

        WireException refused = assertThrows(WireException.class, () -> InstanceStatus.read(content));
        assertTrue(refused.getMessage().contains("2147483647 elements in 4 bytes"), refused.getMessage());
    }

    private static void read(ByteBuf message) throws WireException {
        byte type = StreamWire.type(message);
        if (type == StreamWire.DATA) {
            StreamWire.tuples(message);
        } else if (type == StreamWire.HELLO) {
            Hello.read(StreamWire.content(message));
        } else {
            InstanceStatus.read(StreamWire.content(message));
        }
    }

    /** The message as it comes out of the splitter, which gets it byte by byte. */
    private static ByteBuf split(ByteBuf message) throws DecoderException {
        EmbeddedChannel channel = new EmbeddedChannel(StreamWire.splitter());
        while (message.isReadable()) {
            channel.writeInbound(message.readBytes(1));
        }
        return channel.readInbound();
    }

    /** Notes the large messages that it is told of. */
    private static final class Announced implements ForwardingSplitter.LargeMessageListener {
        private final List<String> all = new ArrayList<>();

        @Override
        public void begins(int messageBytes, int target) {
            all.add("begins " + messageBytes + " for " + target);
        }

        @Override
        public void ends() {
            all.add("ends");
        }
    }
}
