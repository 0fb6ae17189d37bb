package io.eyewall.integration.dropin;

import org.apache.storm.Config;
import org.apache.storm.drpc.DRPCSpout;
import org.apache.storm.drpc.ReturnResults;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Serves the DRPC function {@code exclaim}: returns the argument with an exclamation mark. */
final class DrpcTopology {

    private DrpcTopology() {
    }

    static StormTopology build(Config config) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("calls", new DRPCSpout("exclaim"));
        builder.setBolt("exclaim", new Exclaim(), 2).shuffleGrouping("calls");
        builder.setBolt("results", new ReturnResults()).shuffleGrouping("exclaim");
        return builder.createTopology();
    }

    /** Passes on the address of the caller. */
    private static final class Exclaim extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            collector.emit(new Values(tuple.getString(0) + "!", tuple.getValue(1)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("result", "return-info"));
        }
    }
}
