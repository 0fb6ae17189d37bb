package io.eyewall.client.security;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.tuple.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an acker does about a tuple whose values are not those of its stream: it drops the tuple. Upstream's worker ends. Whoever reaches a
 * worker's port and is let in can send such tuples, so that they are logged at every doubling of their count. Safe for any thread.
 */
public final class MalformedAcks {

    private static final Logger LOG = LoggerFactory.getLogger(MalformedAcks.class);

    /** Those of this process. */
    private static final AtomicLong COUNT = new AtomicLong();

    private MalformedAcks() {
    }

    /**
     * Drops a tuple that made the acker fail.
     *
     * @return false if it failed for another reason than the tuple's values, such as the end of the worker; about that nothing is done
     */
    public static boolean drop(Tuple tuple, Throwable failure) {
        if (!(failure instanceof IndexOutOfBoundsException || failure instanceof ClassCastException
                || failure instanceof NullPointerException)) {
            return false;
        }
        long count = COUNT.incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.error("The acker dropped a tuple of component {} on stream {}, number {} by now: its values are not those of that stream."
                + " Check that nothing else than this topology sends to this worker's port.", tuple.getSourceComponent(),
                tuple.getSourceStreamId(), count, failure);
        }
        return true;
    }
}
