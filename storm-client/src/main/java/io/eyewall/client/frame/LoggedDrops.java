package io.eyewall.client.frame;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the tuples of each stream that could not be read, and logs at every doubling of a count. For any thread. */
final class LoggedDrops implements UnreadableTuples {

    private static final Logger LOG = LoggerFactory.getLogger(LoggedDrops.class);

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

    @Override
    public void dropped(String component, String stream, Throwable cause) {
        long count = counts.computeIfAbsent(component + ' ' + stream, added -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.error("Dropped a tuple of component {} on stream {}, number {} by now: its values cannot be deserialized. It times out at"
                + " its spout. Check that all workers have the same classes and the same serializers.", component, stream, count, cause);
        }
    }
}
