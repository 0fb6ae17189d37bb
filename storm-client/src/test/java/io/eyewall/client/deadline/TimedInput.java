package io.eyewall.client.deadline;

import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.QueueRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Constants;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.JCQueue;

/** The deadlines of a spout and a bolt at a time that tests move, and tuples with deadlines. */
public final class TimedInput {

    /** The target of the spout's tuples. */
    public static final long TARGET_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int SPOUT_TASK = 1;

    private final AtomicLong clockNs = new AtomicLong();
    private final GeneralTopologyContext context;
    private final Deadlines deadlines;

    /** At the time 8. */
    public TimedInput() {
        this(Map.of());
    }

    /** At the time 8, with further settings. */
    TimedInput(Map<String, Object> settings) {
        this(settings, Map.of());
    }

    /** At the time 8, with further settings, and others of the bolt. */
    TimedInput(Map<String, Object> settings, Map<String, Object> ofBolt) {
        this(settings, ofBolt, false);
    }

    private TimedInput(Map<String, Object> settings, Map<String, Object> ofBolt, boolean others) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new TestWordSpout());
        builder.setBolt("bolt", new TestWordCounter()).shuffleGrouping("spout").addConfigurations(ofBolt);
        if (others) {
            builder.setSpout("other", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, 0);
            builder.setBolt("others", new TestWordCounter()).shuffleGrouping("other");
        }
        Map<String, Object> conf = new HashMap<>(Map.of(DeadlineConfiguration.TARGET, TimeUnit.NANOSECONDS.toMillis(TARGET_NS)));
        conf.putAll(settings);
        deadlines = Deadlines.of(builder.createTopology(), conf, clockNs::get).orElseThrow();
        Map<String, Fields> streams = Map.of("default", new Fields("word", "at"));
        context = new GeneralTopologyContext(builder.createTopology(), conf, Map.of(SPOUT_TASK, "spout", -1, Constants.SYSTEM_COMPONENT_ID),
            Map.of("spout", List.of(SPOUT_TASK)), Map.of("spout", streams, Constants.SYSTEM_COMPONENT_ID, streams), "test-1");
    }

    /** The same with further settings. */
    public static TimedInput withOthers(Map<String, Object> settings) {
        return new TimedInput(settings, Map.of(), true);
    }

    /** An executor of a component has executed a tuple, which took that time. */
    public void cost(String component, long tookNs) {
        deadlines.executed(deadlines.operator(component), tookNs);
    }

    Deadlines deadlines() {
        return deadlines;
    }

    /** The urgency of another executor of the bolt. */
    public Urgency newUrgency() {
        return newUrgency("bolt");
    }

    /** The urgency of another executor of a component. */
    public Urgency newUrgency(String component) {
        return deadlines.of(component, newQueue(component));
    }

    /** The queue of another executor of a component. */
    JCQueue newQueue(String component) {
        return new QueueRequest("queue", "metric", 16, 0, 1, new WaitStrategyPark(100), "topology", component, List.of(2), 6700,
            new StormMetricRegistry()).upstreamQueue();
    }

    /** Moves the time, in nanoseconds. */
    public void advance(long byNs) {
        clockNs.addAndGet(byNs);
    }

    /** The deadline of a message that an executor of the spout emits now. */
    public long messageNs(Urgency spout) {
        spout.emittingMessage("default");
        return spout.currentNs();
    }

    /** A tuple of the spout with that deadline, or 0 for none, on its way to the bolt. */
    public AddressedTuple tuple(long deadlineNs) {
        return datedTuple(deadlineNs, 0L);
    }

    /** One that also has a time of its own. */
    AddressedTuple datedTuple(long deadlineNs, Object at) {
        return tuple("spout", SPOUT_TASK, deadlineNs, at);
    }

    /** A tuple of Storm's, such as a tick. */
    AddressedTuple tick() {
        return tuple(Constants.SYSTEM_COMPONENT_ID, -1, 0, null);
    }

    private AddressedTuple tuple(String component, int task, long deadlineNs, Object at) {
        TupleImpl tuple = new TupleImpl(context, new Values("word", at), component, task, "default");
        ((DeadlineHolder) tuple).setEyewallDeadlineNs(deadlineNs);
        return new AddressedTuple(2, tuple);
    }
}
