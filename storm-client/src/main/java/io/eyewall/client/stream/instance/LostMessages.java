package io.eyewall.client.stream.instance;

import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.time.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.messaging.TaskMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs the messages that an instance cannot give to its stream manager. For any thread. */
final class LostMessages {

    private static final Logger LOG = LoggerFactory.getLogger(LostMessages.class);
    private static final long LOGGED_NS = TimeUnit.SECONDS.toNanos(10);

    private final NanoClock clock;
    private final AtomicLong unconnected = new AtomicLong();
    private final AtomicLong tooLong = new AtomicLong();
    private volatile long loggedNs;

    LostMessages(NanoClock clock) {
        this.clock = clock;
        loggedNs = clock.nanoTime() - LOGGED_NS;
    }

    /** Where tuples do not go in frames, nobody has looked at their length before. */
    void tooLong(TaskMessage message) {
        if (Long.bitCount(tooLong.incrementAndGet()) == 1) {
            LOG.error("Dropped a message of {} bytes for task {}, number {} by now, since a stream manager carries at most {}. Emit its"
                + " tuple in parts, emit where its content is stored in place of the content, or set topology.worker.mode to worker.",
                message.message().length, message.task(), tooLong, StreamWire.MAX_TUPLE_BYTES);
        }
    }

    /** There was no connection for a message. */
    void unconnected() {
        long all = unconnected.incrementAndGet();
        long nowNs = clock.nanoTime();
        if (nowNs - loggedNs >= LOGGED_NS) {
            loggedNs = nowNs;
            LOG.warn("There is no connection to the stream manager. Messages that were dropped so far: {}", all);
        }
    }
}
