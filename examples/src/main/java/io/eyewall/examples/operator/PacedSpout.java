package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import io.eyewall.examples.measuring.Measurements;
import io.eyewall.examples.measuring.Pace;
import io.eyewall.examples.measuring.SystemClock;
import io.eyewall.examples.measuring.TaskMeasurement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;

/**
 * Emits the messages of a source when they are due, or, without a rate, whenever Storm asks. A message that failed is emitted again,
 * with its first due time, before new ones. A spout that is started again begins with its first record, so that nothing is lost and
 * some messages are processed more than once. Without ackers, messages are emitted without an id and nothing is emitted again.
 */
public final class PacedSpout extends BaseRichSpout {

    private final MessageSource source;
    private final int spoutIndex;
    private final int spoutCount;
    private final Clock clock;

    private transient SpoutOutputCollector collector;
    private transient TaskMeasurement measurement;
    private transient ArrayDeque<Message> failed;
    private transient boolean acking;
    /** Null without a rate. */
    private transient Pace pace;

    /**
     * One of several spouts that share a source's records and the topology's rate.
     *
     * @param source     of its own
     * @param spoutIndex from 0
     * @param spoutCount 1 when there is no other
     */
    public PacedSpout(MessageSource source, int spoutIndex, int spoutCount) {
        this(source, spoutIndex, spoutCount, SystemClock.INSTANCE);
    }

    PacedSpout(MessageSource source, int spoutIndex, int spoutCount, Clock clock) {
        this.source = source;
        this.spoutIndex = spoutIndex;
        this.spoutCount = spoutCount;
        this.clock = clock;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(source.fields());
    }

    @Override
    public void open(Map<String, Object> topologyConfiguration, TopologyContext context, SpoutOutputCollector output) {
        ExampleConfiguration configuration = new ExampleConfiguration(topologyConfiguration);
        int tasks = spoutCount * context.getComponentTasks(context.getThisComponentId()).size();
        int index = spoutIndex + spoutCount * context.getThisTaskIndex();
        collector = output;
        failed = new ArrayDeque<>();
        acking = Measurements.isAcking(topologyConfiguration);
        long ratePerSec = configuration.number(ExampleKeys.RATE_PER_SEC);
        pace = ratePerSec == 0 ? null : new Pace((double) ratePerSec / tasks, (double) index / tasks);
        try {
            source.open(configuration, index, tasks);
        } catch (IOException failure) {
            throw new UncheckedIOException("Spout " + context.getThisComponentId() + " cannot read its input: " + failure, failure);
        }
        measurement = Measurements.ofSpout(configuration, context);
    }

    /**
     * Starts the schedule, on first activation and after each deactivation: nothing is due while the topology is inactive.
     */
    @Override
    public void activate() {
        if (pace != null) {
            pace.start(clock.nanoTime());
        }
    }

    @Override
    public void nextTuple() {
        Message again = failed.poll();
        if (again != null) {
            emit(again.values(), again);
            return;
        }
        long nowNs = clock.nanoTime();
        long dueNs = pace == null ? nowNs : pace.nextDueNs();
        if (dueNs > nowNs) {
            return;
        }
        List<Object> values = next(dueNs);
        if (values == null) {
            return;
        }
        if (pace != null) {
            pace.advance();
        }
        emit(values, acking ? new Message(values, dueNs) : null);
    }

    @Override
    public void ack(Object messageId) {
        measurement.acked(clock.nanoTime() - ((Message) messageId).dueNs());
    }

    @Override
    public void fail(Object messageId) {
        measurement.failed();
        failed.add((Message) messageId);
    }

    @Override
    public void close() {
        measurement.close();
        try {
            source.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("The input did not close cleanly", failure);
        }
    }

    private List<Object> next(long dueNs) {
        try {
            return source.next(dueNs);
        } catch (IOException failure) {
            throw new UncheckedIOException("The input cannot be read any further: " + failure, failure);
        }
    }

    private void emit(List<Object> values, Message id) {
        collector.emit(values, id);
        measurement.emitted();
    }
}
