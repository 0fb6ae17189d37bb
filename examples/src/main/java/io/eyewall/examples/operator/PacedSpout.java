package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import io.eyewall.examples.measuring.EmitRates;
import io.eyewall.examples.measuring.EmitSchedule;
import io.eyewall.examples.measuring.Measurements;
import io.eyewall.examples.measuring.SystemClock;
import io.eyewall.examples.measuring.TaskMeasurement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;

/**
 * Emits the messages of a source when they are due or, without a rate, whenever Storm asks. The latency of a message begins when it was due
 * or, if so configured, when it was first emitted. A message that failed is emitted again before new ones, and its latency begins at the
 * same time. A spout that is restarted begins with its first record, so that no message is lost and some are processed more than once.
 * Without ackers, messages are emitted without an id and never again.
 *
 * <p>A part of the messages may be emitted twice from the start, to shorten the tail at the cost of load. Such a message is acked when the
 * first of the two is processed, and fails when both have failed.
 */
public final class PacedSpout extends BaseRichSpout {

    /** The Pareto distribution of gaps has a mean, and no variance. Its least gap is such that the mean is 1. */
    private static final double PARETO_SHAPE = 1.5;
    private static final double PARETO_LEAST = (PARETO_SHAPE - 1) / PARETO_SHAPE;

    private final MessageSource source;
    private final int spoutIndex;
    private final int spoutCount;
    private final Clock clock;

    private transient SpoutOutputCollector collector;
    private transient TaskMeasurement measurement;
    private transient ArrayDeque<SpoutMessage> failed;
    private transient boolean acking;
    /** Null if there is no rate. */
    private transient EmitSchedule schedule;
    private transient boolean stampsEmit;
    private transient long measuresEvery;
    private transient long seed;
    private transient long twicePercent;
    private transient long number;

    /**
     * One of several spouts that share the records of a source and the topology's rate.
     *
     * @param source     used by this spout only
     * @param spoutIndex from 0
     * @param spoutCount how many spouts share the records
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
        DoubleSupplier gaps = gaps((int) configuration.number(ExampleKeys.RATE_VARIES), new ExponentialSequence(~seed, index));
        try {
            EmitRates rates = configuration.text(ExampleKeys.RATE_FILE).isPresent()
                ? EmitRates.read(Path.of(configuration.text(ExampleKeys.RATE_FILE).get()), configuration.number(ExampleKeys.RATE_STEP_SEC),
                    tasks)
                : ratePerSec == 0 ? null : EmitRates.constant((double) ratePerSec / tasks);
            schedule = rates == null ? null : new EmitSchedule(rates, (double) index / tasks, gaps);
        } catch (IOException failure) {
            throw new UncheckedIOException("Spout " + context.getThisComponentId() + " cannot read its rates: " + failure, failure);
        }
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
     * Starts the schedule, also after a deactivation: no message is due while the topology is inactive.
     */
    @Override
    public void activate() {
        if (schedule != null) {
            schedule.start(clock.nanoTime());
        }
    }

    @Override
    public void nextTuple() {
        SpoutMessage again = failed.poll();
        if (again != null) {
            emit(again);
            return;
        }
        boolean measured = number % measuresEvery == 0;
        long nowNs = measured || schedule != null ? clock.nanoTime() : MessageSource.NOT_MEASURED;
        long dueNs = schedule == null ? nowNs : schedule.nextDueNs();
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
        if (schedule != null) {
            schedule.advance();
        }
        if (!acking) {
            collector.emit(values);
            measurement.emitted();
            return;
        }
        SpoutMessage message = new SpoutMessage(values, sinceNs);
        emit(message);
        if (twicePercent > 0 && Long.remainderUnsigned(SeededHash.of(seed, number), 100) < twicePercent) {
            emit(message);
        }
    }

    @Override
    public void ack(Object messageId) {
        SpoutMessage message = (SpoutMessage) messageId;
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
        SpoutMessage message = (SpoutMessage) messageId;
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
            throw new UncheckedIOException("Cannot close the input", failure);
        }
    }

    private static DoubleSupplier gaps(int varies, ExponentialSequence random) {
        return switch (varies) {
            case 0 -> () -> 1;
            case 1 -> random::next;
            default -> () -> PARETO_LEAST * Math.exp(random.next() / PARETO_SHAPE);
        };
    }

    private List<Object> next(long sinceNs) {
        try {
            return source.next(sinceNs);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot read on in the input: " + failure, failure);
        }
    }

    private void emit(SpoutMessage message) {
        message.emitted();
        collector.emit(message.values(), message);
        measurement.emitted();
    }
}
