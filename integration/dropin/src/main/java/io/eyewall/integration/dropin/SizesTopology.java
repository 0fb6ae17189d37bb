package io.eyewall.integration.dropin;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Sends messages of 1 B to 8 MiB, small ones behind large ones, from one of two workers to bolts in both, and from these to other bolts in
 * both.
 */
final class SizesTopology {

    private static final List<Integer> SIZES_BYTES = List.of(1, 100, 1 << 10, 64 << 10, 1 << 20, 8 << 20);
    private static final int ROUNDS = 3;
    private static final String PAYLOAD = "payload";

    private SizesTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        config.setNumAckers(2);
        // One round only, so that there are never two of the largest messages at the same time.
        config.setMaxSpoutPending(SIZES_BYTES.size());
        config.setMessageTimeoutSecs(120);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new PayloadSpout());
        builder.setBolt("there", new CheckingBolt(), 2).allGrouping("numbers");
        builder.setBolt("back", new CheckingBolt(), 2).allGrouping("there");
        return builder.createTopology();
    }

    /** A payload without repetitions, so that a missing, doubled or misplaced part is noticed. */
    private static byte[] payload(int number) {
        byte[] payload = new byte[SIZES_BYTES.get(number % SIZES_BYTES.size())];
        new Random(number).nextBytes(payload);
        return payload;
    }

    /** Emits each number with its payload. */
    private static final class PayloadSpout extends NumberSpout {

        private static final long serialVersionUID = 1L;

        PayloadSpout() {
            super(ROUNDS * SIZES_BYTES.size());
        }

        @Override
        void emit(SpoutOutputCollector to, int number) {
            to.emit(new Values(number, payload(number)), number);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(FIELD, PAYLOAD));
        }
    }

    /** Writes the number, the size, and whether the payload is what was sent. */
    private static final class CheckingBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;

        CheckingBolt() {
            super(NumberSpout.FIELD, PAYLOAD);
        }

        @Override
        String line(Tuple tuple) {
            int number = tuple.getInteger(0);
            byte[] payload = tuple.getBinary(1);
            return number + ": " + payload.length + " bytes " + (Arrays.equals(payload(number), payload) ? "intact" : "damaged");
        }
    }
}
