package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** A bolt in Python, which emits, acks and fails. */
final class PythonTopology {

    private PythonTopology() {
    }

    static StormTopology build(Config config) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(50));
        builder.setBolt("python", new TagBolt()).shuffleGrouping("numbers");
        builder.setBolt("record", new RecordingBolt(NumberSpout.FIELD, "text")).shuffleGrouping("python");
        return builder.createTopology();
    }

    /** Runs {@code tag.py} of the jar's resources. */
    private static final class TagBolt extends ShellBolt implements IRichBolt {

        private static final long serialVersionUID = 1L;

        TagBolt() {
            super("python3", "tag.py");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(NumberSpout.FIELD, "text"));
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return null;
        }
    }
}
