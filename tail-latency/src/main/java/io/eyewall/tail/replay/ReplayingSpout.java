package io.eyewall.tail.replay;

import com.codahale.metrics.Gauge;
import io.eyewall.client.acking.TreeCanceller;
import io.eyewall.client.time.NanoClock;
import io.eyewall.tail.replay.LateMessages.Message;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.storm.ICredentialsListener;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between Storm and the user's spout. Storm gets a message for each instance; the spout gets one ack or fail for each message. Used
 * by the executor's thread.
 */
class ReplayingSpout implements ISpout {

    private static final Logger LOG = LoggerFactory.getLogger(ReplayingSpout.class);
    private static final long serialVersionUID = 1L;

    private final transient ISpout spout;
    private final transient LateMessages messages;
    private final transient BooleanSupplier on;

    /** Null if trees are never cancelled. */
    private transient TreeCanceller canceller;
    private transient ISpoutOutputCollector collector;
    private transient String component;
    private transient boolean replays;
    private transient boolean active;
    private transient boolean said;

    private ReplayingSpout(ISpout spout, ReplayConfiguration configuration, BooleanSupplier on, NanoClock clock) {
        this.spout = spout;
        this.on = on;
        messages = new LateMessages(configuration, clock, new LateMessages.Outcome() {
            @Override
            public void acked(Object userId) {
                spout.ack(userId);
            }

            @Override
            public void failed(Object userId) {
                spout.fail(userId);
            }

            @Override
            public void cancelled(long root) {
                if (canceller != null) {
                    canceller.cancel(root);
                }
            }
        });
    }

    /**
     * Decorates a spout. The decorator has the one other interface that Storm asks spouts for, if the spout has it.
     *
     * @param on whether messages are replayed now; if not, messages that are emitted go to Storm as they are
     */
    static ReplayingSpout of(ISpout spout, ReplayConfiguration configuration, BooleanSupplier on, NanoClock clock) {
        return spout instanceof ICredentialsListener listener
            ? new WithCredentials(spout, listener, configuration, on, clock)
            : new ReplayingSpout(spout, configuration, on, clock);
    }

    /** Task hooks would get the ids under which Storm knows instances, so the messages of a spout with hooks are not replayed. */
    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector stormsCollector) {
        collector = stormsCollector;
        component = context.getThisComponentId();
        spout.open(conf, context, new SpoutOutputCollector(new InstanceCollector()));
        replays = context.getHooks().isEmpty();
        if (replays) {
            Gauge<Double> timeoutMs = this::timeoutMs;
            context.registerGauge("adaptive-timeout-ms", timeoutMs);
            context.registerGauge("adaptive-timeout-replays", (Gauge<Long>) messages::replayed);
        } else {
            sayOnce("The messages of spout {} are not replayed, since it has task hooks, which would see every instance.");
        }
    }

    @Override
    public void close() {
        spout.close();
    }

    @Override
    public void activate() {
        active = true;
        spout.activate();
    }

    @Override
    public void deactivate() {
        active = false;
        spout.deactivate();
    }

    @Override
    public void nextTuple() {
        spout.nextTuple();
    }

    @Override
    public void ack(Object id) {
        if (id instanceof Message message) {
            messages.acked(message);
        } else {
            spout.ack(id);
        }
    }

    @Override
    public void fail(Object id) {
        if (id instanceof Message message) {
            messages.failed(message);
        } else {
            spout.fail(id);
        }
    }

    /** Sends late messages once more and notifies other workers of cancelled trees, in each round of the loop in which it may emit. */
    void replay() {
        if (replays && active && on.getAsBoolean()) {
            messages.replay(collector::emit);
        }
        if (canceller != null) {
            canceller.announce();
        }
    }

    /** Sets the executor that cancels the rest of an instance's tree when another instance is complete. */
    void cancelWith(TreeCanceller executor) {
        canceller = executor;
    }

    /** The time after which a message is late; 0 while that is unknown. */
    private double timeoutMs() {
        long timeoutNs = messages.timeoutNs();
        return timeoutNs == AdaptiveTimeout.NONE_NS ? 0 : timeoutNs / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    private void sayOnce(String what) {
        if (!said) {
            said = true;
            LOG.info(what, component);
        }
    }

    /** The collector of the user's spout. */
    private final class InstanceCollector implements ISpoutOutputCollector {

        @Override
        public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
            if (messageId == null) {
                sayOnce("Messages that spout {} emits without an id are not replayed, since Storm does not report when they are complete.");
            }
            boolean known = replays && messageId != null && on.getAsBoolean();
            return collector.emit(streamId, values, known ? messages.emitting(streamId, values, messageId) : messageId);
        }

        @Override
        public void emitDirect(int taskId, String streamId, List<Object> values, Object messageId) {
            sayOnce("Messages that spout {} emits directly to a task are not replayed, since the same task would get them again.");
            collector.emitDirect(taskId, streamId, values, messageId);
        }

        @Override
        public long getPendingCount() {
            return collector.getPendingCount();
        }

        @Override
        public void flush() {
            collector.flush();
        }

        @Override
        public void reportError(Throwable error) {
            collector.reportError(error);
        }
    }

    private static final class WithCredentials extends ReplayingSpout implements ICredentialsListener {

        private static final long serialVersionUID = 1L;

        private final transient ICredentialsListener listener;

        WithCredentials(ISpout spout, ICredentialsListener listener, ReplayConfiguration configuration, BooleanSupplier on,
                NanoClock clock) {
            super(spout, configuration, on, clock);
            this.listener = listener;
        }

        @Override
        public void setCredentials(Map<String, String> credentials) {
            listener.setCredentials(credentials);
        }
    }
}
