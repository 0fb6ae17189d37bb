package io.eyewall.client.substitute;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the tuples that a worker has dropped because they could not be read, or could not leave their frame, by component and stream where
 * these are known, and logs at every doubling of a count. For any thread.
 */
public final class LoggedDrops implements UnreadableTuples {

    /** The component and the stream of what is no tuple of the topology. */
    public static final Source UNKNOWN = new Source("unknown", "unknown");

    private static final Logger LOG = LoggerFactory.getLogger(LoggedDrops.class);

    private final Map<Source, AtomicLong> counts = new ConcurrentHashMap<>();
    /** Learns of each new count. Written before tuples arrive. */
    private volatile BiConsumer<Source, AtomicLong> onNew = (source, count) -> { };

    /** Where tuples came from. */
    public record Source(String component, String stream) implements Comparable<Source> {
        @Override
        public int compareTo(Source other) {
            int order = component.compareTo(other.component);
            return order != 0 ? order : stream.compareTo(other.stream);
        }
    }

    /** Has {@code listener} learn of each count when it begins, on the thread that drops its first tuple. */
    void whenNew(BiConsumer<Source, AtomicLong> listener) {
        onNew = listener;
    }

    /** How many tuples were dropped since the worker started, by where they came from. A source that has none is left out. */
    public Map<Source, Long> counts() {
        Map<Source, Long> now = new TreeMap<>();
        counts.forEach((source, count) -> now.put(source, count.get()));
        return now;
    }

    @Override
    public void dropped(String component, String stream, Throwable cause) {
        long count = count(new Source(component, stream));
        if (Long.bitCount(count) == 1) {
            LOG.error("Dropped a tuple of component {} on stream {}, number {} by now: its values cannot be deserialized. It times out at"
                + " its spout. Check that all workers have the same classes and the same serializers.", component, stream, count, cause);
        }
    }

    /**
     * A tuple is dropped that cannot go by itself, out of its frame. On the thread that sends.
     *
     * @param task the task that it was for
     * @param cause what a serializer threw, or an exception that says what to do
     */
    public void unsent(int task, String component, String stream, Throwable cause) {
        long count = count(new Source(component, stream));
        if (Long.bitCount(count) == 1) {
            LOG.error("Dropped a tuple of component {} on stream {}, number {} by now: it cannot go to task {} by itself, as it must where"
                + " a worker reads no frames or a task has moved. It times out at its spout. Mend what has failed: {}", component, stream,
                count, task, cause.toString(), cause);
        }
    }

    /** A message is dropped, of which nothing is known except the task that it was sent to; null stands for no cause. */
    void dropped(int task, Throwable cause) {
        long count = count(UNKNOWN);
        if (Long.bitCount(count) == 1) {
            LOG.error("Dropped a message to task {}, number {} by now: it is no tuple of this topology. Check that all workers have the"
                + " same topology, and that nothing else sends to this worker's port.", task, count, cause);
        }
    }

    private long count(Source source) {
        AtomicLong known = counts.get(source);
        if (known == null) {
            AtomicLong added = new AtomicLong();
            known = counts.putIfAbsent(source, added);
            if (known == null) {
                known = added;
                onNew.accept(source, added);
            }
        }
        return known.incrementAndGet();
    }
}
