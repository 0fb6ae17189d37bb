package io.eyewall.client.security;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.handler.codec.DecoderException;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker does about a connection that it has accepted and that fails: it closes the connection. Upstream's worker ends, unless the
 * failure is an I/O error, and logs each. Anybody who reaches the port can make any number of failures, so that they are logged at every
 * doubling of their count, by port and kind. Safe for any thread.
 */
public final class ConnectionFailures {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionFailures.class);

    /** The failures of this process, by its port and their kind. There are as many kinds as classes of exceptions. */
    private static final Map<String, AtomicLong> COUNTS = new ConcurrentHashMap<>();

    private ConnectionFailures() {
    }

    /**
     * Closes the connection.
     *
     * @return false for what is no failure of the connection but of this worker, about which nothing is done
     */
    public static boolean close(ChannelHandlerContext context, Throwable failure) {
        Throwable cause = failure instanceof DecoderException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof Error) {
            return false;
        }
        long count = COUNTS.computeIfAbsent(kind(context.channel().localAddress(), cause), added -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.error("The connection from {} is closed, number {} by now for such a reason: {}", context.channel().remoteAddress(), count,
                cause.toString());
        }
        Future<Void> unused = context.close(); // Whoever closes at the same time does no harm.
        return true;
    }

    private static String kind(SocketAddress own, Throwable cause) {
        return (own instanceof InetSocketAddress inet ? inet.getPort() : 0) + " " + cause.getClass().getName();
    }
}
