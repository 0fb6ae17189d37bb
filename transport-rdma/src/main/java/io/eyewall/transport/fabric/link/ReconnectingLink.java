package io.eyewall.transport.fabric.link;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a link to one peer open: connects, and connects again when the link breaks or the peer is not up yet, with growing pauses between
 * attempts. Safe for any thread.
 */
public final class ReconnectingLink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingLink.class);
    private static final long FIRST_PAUSE_MS = 10;

    private final LinkGroup group;
    private final String host;
    private final int port;
    private final LinkSecret secret;
    private final LinkHandler handler;
    private final ScheduledExecutorService scheduler;
    private final long longestPauseMs;
    private final ExponentialBackoff backoff;
    /** Written by the progress thread. */
    private volatile Link openLink;
    private volatile int attempts;
    private volatile boolean closed;
    // The next two fields are guarded by this object's lock.
    private Link latestLink;
    private Future<?> nextAttempt;

    /**
     * Starts to connect.
     *
     * @param host looked up before each attempt
     * @param handler receives messages and events of each link; an attempt that fails is a link that is closed
     * @param scheduler makes the attempts, each of which may wait for the lookup of the host
     * @param longestPauseMs the longest pause between two attempts
     */
    public ReconnectingLink(LinkGroup group, String host, int port, LinkSecret secret, LinkHandler handler,
        ScheduledExecutorService scheduler, long longestPauseMs) {
        this.group = group;
        this.host = host;
        this.port = port;
        this.secret = secret;
        this.handler = new Reconnector(handler);
        this.scheduler = scheduler;
        this.longestPauseMs = longestPauseMs;
        this.backoff = new ExponentialBackoff(FIRST_PAUSE_MS, longestPauseMs);
        schedule(0);
    }

    /** The open link, or null if there is none. */
    public Link current() {
        return openLink;
    }

    /** How many attempts to connect there were. */
    public int attempts() {
        return attempts;
    }

    @Override
    public void close() {
        close(0);
    }

    /**
     * Closes the link for good.
     *
     * @param timeoutMs how long to wait until all messages sent are passed to the peer's handler
     * @return whether all of them were
     */
    public boolean close(long timeoutMs) {
        Link last;
        synchronized (this) {
            closed = true;
            if (nextAttempt != null) {
                nextAttempt.cancel(false);
            }
            last = latestLink;
        }
        return last == null || last.close(timeoutMs);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }

    private synchronized void schedule(long pauseMs) {
        if (closed) {
            return;
        }
        try {
            nextAttempt = scheduler.schedule(this::attempt, pauseMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("No more attempts to connect to {}: the scheduler is closed", this);
        }
    }

    private void attempt() {
        InetSocketAddress address = new InetSocketAddress(host, port);
        synchronized (this) {
            if (closed) {
                return;
            }
            attempts++;
            if (!address.isUnresolved()) {
                latestLink = group.connect(address, secret, handler);
                return;
            }
        }
        long pauseMs = backoff.next();
        LOG.warn("Host {} is unknown; the next lookup follows in {} ms", host, pauseMs);
        schedule(pauseMs);
    }

    /** Connects again when a link closes. For the progress thread. */
    private final class Reconnector implements LinkHandler {

        private final LinkHandler next;

        Reconnector(LinkHandler next) {
            this.next = next;
        }

        @Override
        public void onOpen(Link link) {
            LOG.info("{} is open", link);
            openLink = link;
            next.onOpen(link);
        }

        @Override
        public void onMessage(Link link, int address, ByteBuffer message) {
            next.onMessage(link, address, message);
        }

        @Override
        public void onBatchEnd(Link link) {
            next.onBatchEnd(link);
        }

        @Override
        public void onWritable(Link link) {
            next.onWritable(link);
        }

        @Override
        public void onClosed(Link link, String reason) {
            boolean wasOpen = openLink == link;
            openLink = null;
            next.onClosed(link, reason);
            // A link that breaks as soon as it is open does not count as success.
            if (wasOpen && link.ageNs() > TimeUnit.MILLISECONDS.toNanos(longestPauseMs)) {
                backoff.reset();
            }
            long pauseMs = backoff.next();
            if (closed) {
                LOG.info("{} is closed for good: {}", link, reason);
            } else if (wasOpen) {
                LOG.info("{} is closed: {}; the next attempt follows in {} ms", link, reason, pauseMs);
            } else {
                LOG.debug("{} could not be opened: {}; the next attempt follows in {} ms", link, reason, pauseMs);
            }
            schedule(pauseMs);
        }
    }
}
