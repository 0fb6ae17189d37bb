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
import java.util.function.DoubleSupplier;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;

/**
 * Emits the messages of a source when they are due, or, without a rate, whenever Storm asks. The latency of a message counts from when it
 * was due, or, if so configured, from when it was emitted first. A message that failed is emitted again, with that time, before new ones.
 * A spout that is started again begins with its first record, so that nothing is lost and some messages are processed more than once.
 * Without ackers, messages are emitted without an id and nothing is emitted again.
 *
 * <p>A part of the messages may be emitted twice from the start, the way of those who pay for a short tail with load: such a message is
 * acknowledged with the first of the two, and fails with the last.
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
    private transient boolean stampsEmit;
    private transient long measuresEvery;
    private transient long seed;
    private transient long twicePercent;
    private transient long number;

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
        seed = configuration.number(ExampleKeys.SEED);
        Exponential random = new Exponential(~seed, index);
        DoubleSupplier gaps = configuration.number(ExampleKeys.RATE_VARIES) == 1 ? random::next : () -> 1;
        pace = ratePerSec == 0 ? null : new Pace((double) ratePerSec / tasks, (double) index / tasks, gaps);
        stampsEmit = configuration.number(ExampleKeys.LATENCY_FROM_EMIT) == 1;
        measuresEvery = configuration.number(ExampleKeys.LATENCY_EVERY);
        twicePercent = configuration.number(ExampleKeys.TWICE_PERCENT);
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
            emit(again);
            return;
        }
        boolean measured = number % measuresEvery == 0;
        long nowNs = measured || pace != null ? clock.nanoTime() : MessageSource.NOT_MEASURED;
        long dueNs = pace == null ? nowNs : pace.nextDueNs();
        if (dueNs > nowNs) {
            return;
        }
        long sinceNs = stampsEmit ? nowNs : dueNs;
        if (!measured) {
            sinceNs = MessageSource.NOT_MEASURED;
        }
        List<Object> values = next(sinceNs);
        if (values == null) {
            return;
        }
        number++;
        if (pace != null) {
            pace.advance();
        }
        if (!acking) {
            collector.emit(values);
            measurement.emitted();
            return;
        }
        Message message = new Message(values, sinceNs);
        emit(message);
        if (twicePercent > 0 && Long.remainderUnsigned(SeededHash.of(seed, number), 100) < twicePercent) {
            emit(message);
        }
    }

    @Override
    public void ack(Object messageId) {
        Message message = (Message) messageId;
        if (message.ack()) {
            if (message.sinceNs() == MessageSource.NOT_MEASURED) {
                measurement.acked();
            } else {
                measurement.acked(clock.nanoTime() - message.sinceNs());
            }
        }
    }

    @Override
    public void fail(Object messageId) {
        Message message = (Message) messageId;
        if (message.fail()) {
            measurement.failed();
            failed.add(message);
        }
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

    private List<Object> next(long sinceNs) {
        try {
            return source.next(sinceNs);
        } catch (IOException failure) {
            throw new UncheckedIOException("The input cannot be read any further: " + failure, failure);
        }
    }

    private void emit(Message message) {
        message.emitted();
        collector.emit(message.values(), message);
        measurement.emitted();
    }
}
