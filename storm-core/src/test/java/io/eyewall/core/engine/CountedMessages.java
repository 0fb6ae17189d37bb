package io.eyewall.core.engine;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;

/**
 * A spout each of whose tasks emits a number of messages, COMPONENT-TASK-NUMBER, each with a time of its own, to its streams by turns. One
 * topology at a time in a JVM.
 */
final class CountedMessages extends BaseRichSpout {

    static final Fields FIELDS = new Fields("message", "at");

    /** The messages that were acked, since a test has emptied it. */
    static final Queue<String> ACKED = new ConcurrentLinkedQueue<>();

    private static final long serialVersionUID = 1L;
    /** Between the times of two messages. */
    private static final long INTERVAL_MS = 10;

    private final int messages;
    private final String[] streams;
    private transient SpoutOutputCollector collector;
    private transient String prefix;
    private int next;

    CountedMessages(int messages) {
        this(messages, Utils.DEFAULT_STREAM_ID);
    }

    CountedMessages(int messages, String... streams) {
        this.messages = messages;
        this.streams = streams;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
        collector = output;
        prefix = context.getThisComponentId() + "-" + context.getThisTaskId() + "-";
    }

    @Override
    public void nextTuple() {
        if (next < messages) {
            String message = prefix + next++;
            collector.emit(streams[next % streams.length], new Values(message, INTERVAL_MS * next), message);
        }
    }

    @Override
    public void ack(Object message) {
        ACKED.add((String) message);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        for (String stream : streams) {
            declarer.declareStream(stream, FIELDS);
        }
    }
}
