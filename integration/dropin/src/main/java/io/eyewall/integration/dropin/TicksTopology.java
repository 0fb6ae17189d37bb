package io.eyewall.integration.dropin;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/** Sends tick tuples each second to one component only, beside the spout's own tuples. */
final class TicksTopology {

    private TicksTopology() {
    }

    static StormTopology build(Config config) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(10));
        builder.setBolt("ticked", new Ticked()).shuffleGrouping("numbers").addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        builder.setBolt("unticked", new RecordingBolt(NumberSpout.FIELD)).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Writes the first three ticks and all other tuples. */
    private static final class Ticked extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private int ticks;

        Ticked() {
            super(NumberSpout.FIELD);
        }

        @Override
        public void execute(Tuple tuple) {
            if (!TupleUtils.isTick(tuple)) {
                super.execute(tuple);
            } else if (ticks < 3) {
                ticks++;
                output().line("tick " + ticks + " from " + tuple.getSourceComponent() + " on " + tuple.getSourceStreamId() + " with "
                    + tuple.getValues());
            }
        }
    }
}
