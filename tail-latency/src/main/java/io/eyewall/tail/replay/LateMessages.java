package io.eyewall.tail.replay;

import io.eyewall.client.acking.RootListener;
import io.eyewall.client.time.NanoClock;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one spout task that are neither acked nor failed; decides which of them are sent again. Each instance of a message ends
 * once, acked or failed. The message is acked when the first instance is acked, and fails when all instances that were sent have failed.
 * After that, further results of its instances are ignored, and no further instance is sent. The ack also cancels the remaining trees of
 * the other instances.
 *
 * <p>Messages that may still be sent again are in a list, ordered by the age of their last instance, the oldest first. Their values are
 * kept while they are in the list. Used by the spout executor's thread.
 */
final class LateMessages {

    private final NanoClock clock;
    private final long periodNs;
    private final int mostReplays;
    private final AdaptiveTimeout timeout;
    private final ReplayBudget budget;
    private final Outcome outcome;

    private Message oldest;
    private Message youngest;
    private long periodBeganNs;
    private long replayed;

    /**
     * Begins without messages.
     *
     * @param outcome called with the outcome of each message, once
     */
    LateMessages(ReplayConfiguration configuration, NanoClock clock, Outcome outcome) {
        this.clock = clock;
        this.outcome = outcome;
        periodNs = configuration.periodNs();
        mostReplays = configuration.mostReplays();
        timeout = new AdaptiveTimeout(configuration.samples(), configuration.percent(), configuration.minNs(), configuration.maxNs());
        budget = new ReplayBudget(configuration.percent());
        periodBeganNs = clock.nanoTime();
    }

    /** Adds a message that the spout emits; returns the id under which to send its first instance. */
    Message emitting(String streamId, List<Object> values, Object userId) {
        Message message = new Message(streamId, values, userId, clock.nanoTime());
        budget.emitted();
        append(message);
        return message;
    }

    /** Handles the ack of an instance. */
    void acked(Message message) {
        message.outstanding--;
        if (!message.done) {
            end(message);
            timeout.completed(clock.nanoTime() - message.emittedNs);
            if (message.outstanding > 0) {
                message.roots.forEach(outcome::cancelled);
            }
            outcome.acked(message.userId);
        }
    }

    /** Handles an instance that has failed or timed out. */
    void failed(Message message) {
        message.outstanding--;
        if (!message.done && message.outstanding == 0) {
            end(message);
            outcome.failed(message.userId);
        }
    }

    /** Sends late messages once more, as far as the budget allows; ends the period if it is over. */
    void replay(Sender sender) {
        long nowNs = clock.nanoTime();
        if (nowNs - periodBeganNs >= periodNs && timeout.endPeriod()) {
            periodBeganNs = nowNs;
            budget.endPeriod();
        }
        while (oldest != null && nowNs - oldest.sentNs >= timeout.timeoutNs() && budget.take()) {
            Message message = oldest;
            remove(message);
            message.sentNs = nowNs;
            message.outstanding++;
            message.replays++;
            replayed++;
            List<Object> values = message.values;
            if (message.replays < mostReplays) {
                append(message);
            } else {
                message.values = null;
            }
            sender.send(message.streamId, values, message);
        }
    }

    /** The time after which a message is late, in ns. */
    long timeoutNs() {
        return timeout.timeoutNs();
    }

    /** The number of instances that were sent beyond the first ones. */
    long replayed() {
        return replayed;
    }

    private void end(Message message) {
        message.done = true;
        if (message.listed) {
            remove(message);
        }
        message.values = null;
    }

    private void append(Message message) {
        message.listed = true;
        message.older = youngest;
        message.younger = null;
        if (youngest == null) {
            oldest = message;
        } else {
            youngest.younger = message;
        }
        youngest = message;
    }

    private void remove(Message message) {
        message.listed = false;
        if (message.older == null) {
            oldest = message.younger;
        } else {
            message.older.younger = message.younger;
        }
        if (message.younger == null) {
            youngest = message.older;
        } else {
            message.younger.older = message.older;
        }
        message.older = null;
        message.younger = null;
    }

    /** The outcome of a message. */
    interface Outcome {
        void acked(Object userId);

        void failed(Object userId);

        /** The rest of this root's tree is not needed. Also called for the complete instance, of whose tree nothing is left. */
        void cancelled(long root);
    }

    /** Sends one more instance of a message, under the same id. */
    @FunctionalInterface
    interface Sender {
        void send(String streamId, List<Object> values, Message id);
    }

    /** One message, and the ids of its instances in Storm. */
    static final class Message implements RootListener {
        private final String streamId;
        private final Object userId;
        private final long emittedNs;
        private List<Object> values;
        private long sentNs;
        private final List<Long> roots = new ArrayList<>(1);
        private int outstanding = 1;
        private int replays;
        private boolean done;
        private boolean listed;
        private Message older;
        private Message younger;

        Message(String streamId, List<Object> values, Object userId, long emittedNs) {
            this.streamId = streamId;
            this.values = values;
            this.userId = userId;
            this.emittedNs = emittedNs;
            sentNs = emittedNs;
        }

        @Override
        public void sent(long root) {
            roots.add(root);
        }

        /** Kept while the message may be sent again, then null. */
        List<Object> values() {
            return values;
        }

        /** The spout's own id, for logs. */
        @Override
        public String toString() {
            return String.valueOf(userId);
        }
    }
}
