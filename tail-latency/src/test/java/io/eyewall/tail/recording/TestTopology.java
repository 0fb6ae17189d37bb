package io.eyewall.tail.recording;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.ThriftTopologyUtils;
import org.apache.storm.utils.Utils;

/** The spout {@code words}, the bolt {@code split} and their system, as a worker's context describes them; nothing of it runs. */
final class TestTopology {

    static final String DEFAULT = Utils.DEFAULT_STREAM_ID;

    private final Map<String, Object> conf = Utils.readDefaultConfig();
    private final Map<String, List<Integer>> tasks =
        Map.of("words", List.of(1, 2), "split", List.of(3, 4), "count", List.of(5), "__acker", List.of(6));
    private final WorkerTopologyContext context;

    TestTopology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout(), 2);
        builder.setBolt("split", new Split(), 2).shuffleGrouping("words");
        builder.setBolt("count", new Split(), 1).shuffleGrouping("split");
        Map<Integer, String> taskToComponent = new TreeMap<>();
        tasks.forEach((component, ids) -> ids.forEach(id -> taskToComponent.put(id, component)));
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, 1);
        try {
            StormTopology topology = StormCommon.systemTopology(conf, builder.createTopology());
            Map<String, Map<String, Fields>> fields = new HashMap<>();
            for (String component : ThriftTopologyUtils.getComponentIds(topology)) {
                ComponentCommon common = ThriftTopologyUtils.getComponentCommon(topology, component);
                Map<String, Fields> streams = new HashMap<>();
                common.get_streams().forEach((stream, info) -> streams.put(stream, new Fields(info.get_output_fields())));
                fields.put(component, streams);
            }
            context = new WorkerTopologyContext(topology, conf, taskToComponent, tasks, fields, "test-1", null, null, 6700,
                List.copyOf(taskToComponent.keySet()), new HashMap<>(), new HashMap<>(), new AtomicReference<>(Map.of()), "here",
                new AtomicReference<>(Map.of()));
        } catch (InvalidTopologyException e) {
            throw new IllegalStateException("The topology of the tests is invalid.", e);
        }
    }

    WorkerTopologyContext context() {
        return context;
    }

    Map<String, Object> conf() {
        return conf;
    }

    /** The {@code i}th task of a component. */
    int task(String component, int i) {
        return tasks.get(component).get(i);
    }

    /** A tuple of a component's first task that no recording has seen. */
    TupleImpl tuple(String component, String stream, Object... values) {
        return new TupleImpl(context, Arrays.asList(values), component, task(component, 0), stream, MessageId.makeUnanchored());
    }

    /** Declares the streams that tests emit on, and does nothing. */
    static final class Split extends BaseRichBolt {
        @Override
        public void prepare(Map<String, Object> topologyConf, TopologyContext context, OutputCollector collector) {
            throw new UnsupportedOperationException("Never runs.");
        }

        @Override
        public void execute(Tuple input) {
            throw new UnsupportedOperationException("Never runs.");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
            declarer.declareStream("other", new Fields("word"));
        }
    }
}
