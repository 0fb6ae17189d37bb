package io.eyewall.tail;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** A spout that emits the numbers from 0 on as fast as it may, and what becomes of them: of one task at a time in this JVM. */
public class Numbers extends BaseRichSpout {

    private static final long serialVersionUID = 1;

    private static final AtomicInteger EMITTED = new AtomicInteger();
    private static final Map<Object, AtomicInteger> ACKED = new ConcurrentHashMap<>();
    private static final AtomicInteger FAILED = new AtomicInteger();
    private static volatile int count;

    private transient SpoutOutputCollector collector;

    /** Forgets all; the next spout emits so many. */
    public static void begin(int numbers) {
        EMITTED.set(0);
        ACKED.clear();
        FAILED.set(0);
        count = numbers;
    }

    /** The spout emits so many more, or one more than that. */
    public static void endAfter(int more) {
        count = EMITTED.get() + more;
    }

    /** How many were acked. */
    public static int acked() {
        return ACKED.size();
    }

    /** Whether all that the spout is to emit were acked. */
    public static boolean areAllAcked() {
        return ACKED.size() >= count;
    }

    /** Whether all that were emitted were acked once and nothing was failed. */
    public static boolean isEachAckedOnce() {
        return FAILED.get() == 0 && ACKED.size() == EMITTED.get() && ACKED.values().stream().allMatch(times -> times.get() == 1);
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
        collector = spoutCollector;
    }

    @Override
    public void nextTuple() {
        if (EMITTED.get() < count) {
            int number = EMITTED.getAndIncrement();
            collector.emit(new Values(number), number);
        }
    }

    @Override
    public void ack(Object messageId) {
        ACKED.computeIfAbsent(messageId, id -> new AtomicInteger()).incrementAndGet();
    }

    @Override
    public void fail(Object messageId) {
        FAILED.incrementAndGet();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("number"));
    }

    protected SpoutOutputCollector collector() {
        return collector;
    }
}
