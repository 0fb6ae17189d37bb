package io.eyewall.integration.dropin;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Time;

/**
 * Emits the numbers from 0 up, each with itself as its message id, and repeats numbers that failed. Writes {@code ack N} and {@code fail N}
 * and, with an account, also {@code open} when it starts and {@code emit N} before it emits. It can be replayed: a spout that starts in the
 * place of one that died emits every number that the other one had not written down as acked.
 */
public class NumberSpout extends BaseRichSpout {

    /** The name of the only field. */
    static final String FIELD = "number";

    private static final long serialVersionUID = 1L;

    private final int count;
    private int intervalMs;
    private int pauseBefore = Integer.MAX_VALUE;
    private boolean accountable;
    private boolean stoppable;

    private transient SpoutOutputCollector collector;
    private transient Output output;
    private transient Path goAhead;
    private transient Path stop;
    private transient BitSet acked;
    private transient Deque<Integer> failed;
    private transient int next;
    private transient int firstNew;
    private transient long lastEmitMs;

    /** Emits {@code count} numbers. */
    public NumberSpout(int count) {
        this.count = count;
    }

    /** Slows the spout down: at least this time, in milliseconds, passes between two numbers. */
    NumberSpout withIntervalMs(int interval) {
        this.intervalMs = interval;
        return this;
    }

    /** Makes the spout wait, before it emits this number, until there is a file {@code go} in the topology's output directory. */
    NumberSpout withPauseBefore(int number) {
        this.pauseBefore = number;
        return this;
    }

    /** Whether the spout keeps an account, that is, also writes what it emits. */
    NumberSpout withAccount(boolean account) {
        this.accountable = account;
        return this;
    }

    /**
     * Whether the spout stops emitting new numbers once there is a file {@code stop} in the topology's output directory. It still repeats
     * the numbers that fail, and those that an earlier spout with an account had emitted.
     */
    NumberSpout withStop(boolean canStop) {
        this.stoppable = canStop;
        return this;
    }

    @Override
    public void open(Map<String, Object> configuration, TopologyContext context, SpoutOutputCollector spoutCollector) {
        collector = spoutCollector;
        output = Output.of(configuration, context);
        goAhead = Output.directory(configuration).resolve("go");
        stop = Output.directory(configuration).resolve("stop");
        acked = new BitSet();
        failed = new ArrayDeque<>();
        output.forEachEarlierLine(line -> {
            if (line.startsWith("ack ")) {
                acked.set(Integer.parseInt(line.substring("ack ".length())));
            } else if (line.startsWith("emit ")) {
                firstNew = Math.max(firstNew, Integer.parseInt(line.substring("emit ".length())) + 1);
            }
        });
        account("open");
    }

    @Override
    public void nextTuple() {
        if (intervalMs > 0 && Time.currentTimeMillis() < lastEmitMs + intervalMs) {
            return;
        }
        Integer number = failed.poll();
        if (number == null) {
            next = acked.nextClearBit(next);
            if (next >= count || (next >= pauseBefore && Files.notExists(goAhead)) || isStopped()) {
                return;
            }
            number = next++;
        }
        lastEmitMs = Time.currentTimeMillis();
        account("emit " + number);
        emit(collector, number);
    }

    /** Emits the number on the default stream. */
    void emit(SpoutOutputCollector to, int number) {
        to.emit(new Values(number), number);
    }

    /** The file to which this task writes. */
    Output output() {
        return output;
    }

    @Override
    public void ack(Object id) {
        output.line("ack " + id);
    }

    @Override
    public void fail(Object id) {
        output.line("fail " + id);
        failed.add((Integer) id);
    }

    private boolean isStopped() {
        return stoppable && next >= firstNew && Files.exists(stop);
    }

    private void account(String line) {
        if (accountable) {
            output.line(line);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(FIELD));
    }
}
