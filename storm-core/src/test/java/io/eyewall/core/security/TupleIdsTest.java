package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.LocalCluster;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Whether the id of a tuple tree tells the ids that come after it. */
class TupleIdsTest {

    @Test
    void shouldGiveIdsThatNobodyPredicts() throws Exception {
        assertEquals(true, Upstream.attackedBy(PredictedIds.class));

        assertEquals(false, new PredictedIds().call());
    }

    /** Computes the next id from that of a tuple tree, and compares it with the one that comes next: that of the tuple. */
    static final class PredictedIds implements Callable<Boolean> {

        private static final long MULTIPLIER = 0x5DEECE66DL;
        private static final long ADDEND = 0xBL;
        private static final long MASK = (1L << 48) - 1;
        private static final int HIDDEN_BITS = 16;

        @Override
        public Boolean call() throws Exception {
            Seen.IDS.clear();
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("numbers", new Numbers());
            builder.setBolt("seen", new Seen()).shuffleGrouping("numbers");
            try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(1).build()) {
                cluster.submitTopology("ids", Map.of("topology.workers", 1, "topology.max.spout.pending", 1), builder.createTopology());
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Seen.IDS.size() >= 3);
            }
            return Seen.IDS.stream().limit(3).allMatch(PredictedIds::follows);
        }

        /** Whether the second of two ids is the one that {@link Random} gives after the first. */
        private static boolean follows(long[] ids) {
            int low = (int) ids[0];
            int high = (int) ((ids[0] - low) >>> Integer.SIZE);
            for (long hidden = 0; hidden < 1L << HIDDEN_BITS; hidden++) {
                long state = next((Integer.toUnsignedLong(high) << HIDDEN_BITS) | hidden);
                if ((int) (state >>> HIDDEN_BITS) == low) {
                    long third = next(state);
                    long fourth = next(third);
                    if ((((long) (int) (third >>> HIDDEN_BITS)) << Integer.SIZE) + (int) (fourth >>> HIDDEN_BITS) == ids[1]) {
                        return true;
                    }
                }
            }
            return false;
        }

        private static long next(long state) {
            return (state * MULTIPLIER + ADDEND) & MASK;
        }
    }

    /** Emits numbers. */
    static final class Numbers extends BaseRichSpout {

        private static final long serialVersionUID = 1L;

        private transient SpoutOutputCollector collector;
        private int next;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void nextTuple() {
            collector.emit(new Values(next), next);
            next++;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Keeps the ids of the tuples that it sees: of the tree, then of the tuple. */
    static final class Seen extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;
        private static final Queue<long[]> IDS = new ConcurrentLinkedQueue<>();

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            input.getMessageId().getAnchorsToIds().forEach((root, id) -> IDS.add(new long[] {root, id}));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
