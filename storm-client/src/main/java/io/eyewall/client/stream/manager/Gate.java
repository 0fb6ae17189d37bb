package io.eyewall.client.stream.manager;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.util.ReferenceCountUtil;

/** Keeps the messages that a connection had read when reading was stopped: at most what one read takes in. */
final class Gate extends ChannelInboundHandlerAdapter {

    private final Deque<Object> kept = new ArrayDeque<>();
    private boolean isOpen = true;
    private ChannelHandlerContext context;

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (isOpen && kept.isEmpty()) {
            from.fireChannelRead(message);
        } else {
            kept.add(message);
        }
    }

    /** Lets messages pass from now on, or no longer. Those that were kept pass soon, but not during this call. */
    void open(boolean shouldOpen) {
        isOpen = shouldOpen;
        if (isOpen && !kept.isEmpty()) {
            context.executor().execute(this::pass);
        }
    }

    private void pass() {
        while (isOpen && !kept.isEmpty()) {
            context.fireChannelRead(kept.remove());
        }
        context.fireChannelReadComplete();
    }

    /** The process that has sent them has died. */
    @Override
    public void channelInactive(ChannelHandlerContext from) {
        kept.forEach(ReferenceCountUtil::release);
        kept.clear();
        from.fireChannelInactive();
    }
}
