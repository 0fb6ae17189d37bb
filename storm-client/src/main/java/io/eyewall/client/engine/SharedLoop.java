package io.eyewall.client.engine;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.storm.shade.io.netty.util.concurrent.DefaultThreadFactory;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/**
 * One thread for all sockets of a process: those of Storm's Netty transport, which would make three groups of threads for them, and others.
 * What comes by one socket then goes out by another without a wake-up in between. Nothing that runs on it may wait for a connection.
 */
public final class SharedLoop extends NettyLoops {

    /** The loop for the transport that this thread makes. */
    private static final ThreadLocal<SharedLoop> OF_TRANSPORT = new ThreadLocal<>();

    /** Starts a daemon thread of that name with its first task. */
    public SharedLoop(String name) {
        super(1, new DefaultThreadFactory(name, true));
    }

    /** Makes a transport, or what listens for it, on the calling thread. Its channels have this loop. */
    public <T> T shareWith(Supplier<T> transport) {
        OF_TRANSPORT.set(this);
        try {
            return transport.get();
        } finally {
            OF_TRANSPORT.remove(); // One transport is made at a time.
        }
    }

    /** The group for a transport that is being made: a new one, unless it shares a loop. */
    public static NettyLoops ofTransport(int threads, ThreadFactory factory) {
        SharedLoop shared = OF_TRANSPORT.get();
        return shared == null ? new NettyLoops(threads, factory) : shared;
    }

    /** Does nothing: a transport that closes leaves the loop to others. */
    @Override
    public Future<?> shutdownGracefully() {
        return next().newSucceededFuture(null);
    }

    /** Ends the thread when all that was submitted is done. */
    public Future<?> end() {
        return shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
