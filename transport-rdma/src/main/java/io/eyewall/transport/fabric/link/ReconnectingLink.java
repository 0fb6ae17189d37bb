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
 * Keeps a link to one peer: makes it, before the peer is up if need be, and makes it anew when it breaks, with growing pauses. Safe for any
 * thread.
 */
public final class ReconnectingLink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingLink.class);
    private static final long FIRST_PAUSE_MS = 10;

    private final LinkGroup group;
    private final String host;
    private final int port;
    private final LinkSecret secret;
    private final LinkHandler listener;
    private final ScheduledExecutorService scheduler;
    private final long longestPauseMs;
    private final ExponentialBackoff backoff;
    /** Written by the progress thread. */
    private volatile Link openLink;
    private volatile int attempts;
    private volatile boolean closed;
    // Guarded by this.
    private Link latestLink;
    private Future<?> nextAttempt;

    /**
     * Starts to make the link.
     *
     * @param host looked up before every attempt
     * @param listener told of every link that opens or closes, attempts that failed included
     * @param scheduler looks hosts up, which may take long
     * @param longestPauseMs the longest pause before another attempt
     */
    public ReconnectingLink(LinkGroup group, String host, int port, LinkSecret secret, LinkHandler listener,
        ScheduledExecutorService scheduler, long longestPauseMs) {
        this.group = group;
        this.host = host;
        this.port = port;
        this.secret = secret;
        this.listener = new Keeper(listener);
        this.scheduler = scheduler;
        this.longestPauseMs = longestPauseMs;
        this.backoff = new ExponentialBackoff(FIRST_PAUSE_MS, longestPauseMs);
        schedule(0);
    }

    /** The link if it is open, or null. */
    public Link current() {
        return openLink;
    }

    /** How often it was tried to make the link. */
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
     * @param timeoutMs how long to wait until all that was sent is handed over
     * @return whether all was
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
            LOG.debug("No more attempts to reach {}: the scheduler is closed", this);
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
                latestLink = group.connect(address, secret, listener);
                return;
            }
        }
        LOG.warn("Host {} is unknown; it is looked up again", host);
        schedule(backoff.next());
    }

    /** For the progress thread. */
    private final class Keeper implements LinkHandler {

        private final LinkHandler next;

        Keeper(LinkHandler next) {
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
            // A link that breaks as soon as it is open is no success.
            if (wasOpen && link.ageNs() > TimeUnit.MILLISECONDS.toNanos(longestPauseMs)) {
                backoff.reset();
            }
            long pauseMs = backoff.next();
            if (closed) {
                LOG.info("{} is closed for good: {}", link, reason);
            } else if (wasOpen) {
                LOG.info("{} is closed: {}; the next attempt follows in {} ms", link, reason, pauseMs);
            } else {
                LOG.debug("{} was not opened: {}; the next attempt follows in {} ms", link, reason, pauseMs);
            }
            schedule(pauseMs);
        }
    }
}
