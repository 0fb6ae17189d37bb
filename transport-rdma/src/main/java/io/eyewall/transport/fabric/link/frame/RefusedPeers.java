package io.eyewall.transport.fabric.link.frame;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Logs which peers are refused, at every doubling of their number: strangers can make any number of connections. For any thread. */
public final class RefusedPeers {

    /** Those of this process. */
    private static final AtomicLong COUNT = new AtomicLong();

    private RefusedPeers() {
    }

    /** Logs that the peer of a link was refused, or does not. */
    public static void log(Logger log, Object link, String reason) {
        long count = COUNT.incrementAndGet();
        if (Long.bitCount(count) == 1) {
            log.warn("{} refuses its peer, number {} by now: {}", link, count, reason);
        }
    }
}
