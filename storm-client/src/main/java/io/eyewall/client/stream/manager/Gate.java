package io.eyewall.client.stream.manager;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Keeps the messages that a connection had read when reading was stopped: at most what one read takes in, and at the end of the connection
 * what was left in it. These pass before its end does: nobody else has them any longer.
 */
final class Gate extends ChannelInboundHandlerAdapter {

    private final Deque<Object> kept = new ArrayDeque<>();
    private boolean isOpen = true;
    private boolean hasEnded;
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

    /** Whether all that has come has passed. */
    boolean isEmpty() {
        return kept.isEmpty();
    }

    /** Lets messages pass from now on, or no longer. Those that were kept pass soon, but not during this call. */
    void open(boolean shouldOpen) {
        isOpen = shouldOpen;
        if (isOpen && !kept.isEmpty()) {
            context.executor().execute(this::pass);
        }
    }

    private void pass() {
        while ((isOpen || hasEnded) && !kept.isEmpty()) {
            context.fireChannelRead(kept.remove());
        }
        context.fireChannelReadComplete();
    }

    /** The process that has sent them has ended. */
    @Override
    public void channelInactive(ChannelHandlerContext from) {
        hasEnded = true;
        pass();
        from.fireChannelInactive();
    }
}
