package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
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

    /** The channel may have it stopped meanwhile, since what passes leads to more for one that is full. */
    @Test
    void shouldPassEverythingOnWhenTheConnectionEnds() {
        List<String> seen = new ArrayList<>();
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                seen.add(String.valueOf(message));
                gate.open(false);
            }

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                seen.add("end");
            }
        });
        gate.open(false);
        channel.writeInbound("a", "b", "c");
        assertEquals(List.of(), seen);

        channel.finish();

        assertEquals(List.of("a", "b", "c", "end"), seen);
    }
}
