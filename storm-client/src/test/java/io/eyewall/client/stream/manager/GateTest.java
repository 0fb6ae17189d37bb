package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.shade.io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class GateTest {

    private final Gate gate = new Gate();
    private final EmbeddedChannel channel = new EmbeddedChannel(gate);

    @Test
    void shouldKeepMessagesInOrderUntilItOpens() {
        channel.writeInbound("a");
        gate.open(false);
        channel.writeInbound("b", "c");
        assertEquals(List.of("a"), List.copyOf(channel.inboundMessages()));

        gate.open(true);
        assertEquals(1, channel.inboundMessages().size(), "whoever opens it is not called meanwhile");
        gate.open(false);
        channel.runPendingTasks();
        assertEquals(1, channel.inboundMessages().size());
        gate.open(true);
        channel.writeInbound("d");

        channel.runPendingTasks();
        assertEquals(List.of("a", "b", "c", "d"), List.copyOf(channel.inboundMessages()));
    }

    @Test
    void shouldGiveBackWhatItHasWhenTheConnectionEnds() {
        ByteBuf message = Unpooled.directBuffer(1);
        gate.open(false);
        channel.writeInbound(message);

        channel.finish();

        assertEquals(0, message.refCnt());
    }
}
