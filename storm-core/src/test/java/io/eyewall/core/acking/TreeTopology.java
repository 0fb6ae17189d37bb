package io.eyewall.core.acking;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** Spouts that emit every number until it is acked, and bolts that make trees of them, with two roots as well. */
final class TreeTopology {

    /** Numbers below this go through all bolts, two together at the end; of the rest some go to one task directly, some to nobody. */
    static final int PAIRED = 200;
    static final int MESSAGES = 240;

    private TreeTopology() {
    }

    /** Failed at the first attempt. */
    static boolean isFailed(int number) {
        return number % 10 == 3;
    }

    /** Neither acked nor failed at the first attempt. */
    static boolean isForgotten(int number) {
        return number % 50 == 8;
    }

    /** Each task emits its share of the numbers, and those that fail again. */
    public static final class Numbers extends BaseRichSpout {

        private transient SpoutOutputCollector collector;
        private transient Queue<Integer> waiting;
        private transient List<Integer> sinks;

        @Override
        public void open(Map<String, Object> topologyConf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
            sinks = context.getComponentTasks("sink");
            waiting = new ArrayDeque<>();
            int tasks = context.getComponentTasks(context.getThisComponentId()).size();
            for (int number = context.getThisTaskIndex(); number < MESSAGES; number += tasks) {
                waiting.add(number);
            }
        }

        @Override
        public void nextTuple() {
            Integer number = waiting.poll();
            if (number == null) {
                return;
            }
            String id = number.toString();
            if (number < PAIRED) {
                collector.emit(List.of(number), id);
                collector.emit("nobody", List.of(number));
            } else if (number % 4 < 2) {
                collector.emitDirect(sinks.get(number % sinks.size()), "direct", List.of(number), id);
            } else {
                collector.emit("nobody", List.of(number), id);
            }
        }

        @Override
        public void ack(Object id) {
            Observed.ACKED.add((String) id);
        }

        @Override
        public void fail(Object id) {
            Observed.FAILED.add((String) id);
            waiting.add(Integer.valueOf((String) id));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
            declarer.declareStream("direct", true, new Fields("number"));
            declarer.declareStream("nobody", new Fields("number"));
        }
    }

    /** Fails some numbers and forgets some, when it meets them first; sends the others on. */
    public static final class Judge extends BaseRichBolt {

        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> topologyConf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void execute(Tuple input) {
            int number = input.getInteger(0);
            boolean again = Observed.FAILED.contains(input.getValue(0).toString());
            if (!again && isFailed(number)) {
                collector.fail(input);
            } else if (again || !isForgotten(number)) {
                collector.emit(input, List.of(number, number / 2));
                collector.emit("unanchored", List.of(number));
                collector.ack(input);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number", "pair"));
            declarer.declareStream("unanchored", new Fields("number"));
        }
    }

    /** Holds one of two numbers until the other is there and emits one tuple that is anchored to both; one that comes again goes alone. */
    public static final class Pair extends BaseRichBolt {

        private transient OutputCollector collector;
        private transient Map<Integer, Tuple> held;
        private transient Set<Integer> paired;

        @Override
        public void prepare(Map<String, Object> topologyConf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
            held = new HashMap<>();
            paired = new HashSet<>();
        }

        @Override
        public void execute(Tuple input) {
            int pair = input.getInteger(1);
            if (paired.contains(pair)) {
                collector.emit(input, List.of(input.getInteger(0), input.getInteger(0)));
                collector.ack(input);
                return;
            }
            Tuple other = held.get(pair);
            if (other == null || other.getInteger(0).equals(input.getInteger(0))) {
                held.put(pair, input);
                return;
            }
            held.remove(pair);
            paired.add(pair);
            collector.emit(List.of(other, input), List.of(other.getInteger(0), input.getInteger(0)));
            collector.ack(other);
            collector.ack(input);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("one", "other"));
        }
    }

    /** Acks every other tuple on a thread of its own. */
    public static final class Sink extends BaseRichBolt {

        private transient OutputCollector collector;
        private transient ExecutorService thread;
        private long executed;

        @Override
        public void prepare(Map<String, Object> topologyConf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
            thread = Executors.newSingleThreadExecutor();
        }

        @Override
        public void execute(Tuple input) {
            if (input.size() == 2) {
                input.getValues().forEach(number -> Observed.PAIRED.add(number.toString()));
            }
            if (executed++ % 2 == 0) {
                thread.execute(() -> collector.ack(input));
            } else {
                collector.ack(input);
            }
        }

        @Override
        public void cleanup() {
            thread.shutdownNow();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
