package io.eyewall.client.substitute;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what could not be read, by stream where that is known, and logs at every doubling of a count. For any thread. */
public final class LoggedDrops implements UnreadableTuples {

    private static final Logger LOG = LoggerFactory.getLogger(LoggedDrops.class);

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final AtomicLong messages = new AtomicLong();

    @Override
    public void dropped(String component, String stream, Throwable cause) {
        long count = counts.computeIfAbsent(component + ' ' + stream, added -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.error("Dropped a tuple of component {} on stream {}, number {} by now: its values cannot be deserialized. It times out at"
                + " its spout. Check that all workers have the same classes and the same serializers.", component, stream, count, cause);
        }
    }

    /** A message is dropped, of which nothing is known except the task that it was sent to; null stands for no cause. */
    void dropped(int task, Throwable cause) {
        long count = messages.incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.error("Dropped a message to task {}, number {} by now: it is no tuple of this topology, or its values cannot be"
                + " deserialized. A tuple times out at its spout. Check that all workers have the same classes and the same serializers,"
                + " and that nothing else sends to this worker's port.", task, count, cause);
        }
    }
}
