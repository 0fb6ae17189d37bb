package io.eyewall.client.frame;

import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.substitute.LoggedDrops;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;

/** A topology with many tasks and streams, and both ways of its tuples: in frames and upstream's. */
final class FrameTopology {

    static final int STREAMS = 2_000;
    static final int TASKS = 5_000;
    static final String BOLT = "many";

    private static final int SPOUT_TASKS = 4;

    final Map<String, Object> conf;
    final GeneralTopologyContext context;
    private final FrameWriter writer;
    private final FrameReader reader;

    FrameTopology(Map<String, Object> moreConf) {
        this(moreConf, TASKS);
    }

    /** A topology of so many tasks. */
    FrameTopology(Map<String, Object> moreConf, int allTasks) {
        conf = new HashMap<>(Utils.readDefaultConfig());
        conf.putAll(moreConf);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout(), SPOUT_TASKS);
        topology.setBolt(BOLT, new ManyStreams(), allTasks - SPOUT_TASKS);
        Map<Integer, String> components = new HashMap<>();
        Map<String, Fields> streams = new HashMap<>();
        for (int task = 1; task <= allTasks; task++) {
            components.put(task, task <= SPOUT_TASKS ? "words" : BOLT);
        }
        for (int i = 0; i < STREAMS; i++) {
            streams.put(stream(i), new Fields("value"));
        }
        context = new GeneralTopologyContext(topology.createTopology(), conf, components,
            Map.of("words", tasks(1, SPOUT_TASKS), BOLT, tasks(SPOUT_TASKS + 1, allTasks)),
            Map.of("words", Map.of("default", new Fields("word")), BOLT, streams), "test");
        writer = new FrameWriter(conf, context, null, TupleLimit.NONE);
        reader = new FrameReader(conf, context, null, (component, stream, cause) -> {
            throw new AssertionError("dropped a tuple of " + component + " on " + stream, cause);
        });
    }

    private static List<Integer> tasks(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
    }

    static String stream(int i) {
        return "stream-" + i;
    }

    /** A writer without trailers. */
    FrameWriter writer() {
        return writer;
    }

    /** A reader without trailers that fails when it drops a tuple. */
    FrameReader reader() {
        return reader;
    }

    /** A splitter of frames without trailers. */
    FrameSplitter splitter(LoggedDrops drops) {
        return new FrameSplitter(conf, context, FrameWires.NONE, TupleLimit.NONE, drops);
    }

    /** A tuple of the spout's first task, without anchors. */
    TupleImpl tuple(Object... values) {
        return tuple(MessageId.makeUnanchored(), values);
    }

    TupleImpl tuple(MessageId id, Object... values) {
        return new TupleImpl(context, new ArrayList<>(Arrays.asList(values)), "words", 1, "default", id);
    }

    /** What arrives where upstream's serializer and deserializer are between. */
    TupleImpl byUpstream(Tuple tuple) {
        return new KryoTupleDeserializer(conf, context).deserialize(new KryoTupleSerializer(conf, context).serialize(tuple));
    }

    /** A frame of tuples, all to the same task. */
    byte[] frame(int task, Tuple... tuples) {
        OpenFrame open = new OpenFrame(new FramePool(1_024, 2));
        for (Tuple tuple : tuples) {
            writer.write(open, task, tuple);
        }
        return open.complete();
    }

    List<AddressedTuple> read(byte[] frame) throws FrameException {
        List<AddressedTuple> tuples = new ArrayList<>();
        reader.read(frame, 0, frame.length, tuples);
        return tuples;
    }

    /** Declares many streams. */
    private static final class ManyStreams extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            throw new AssertionError("Nothing runs here.");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            for (int i = 0; i < STREAMS; i++) {
                declarer.declareStream(stream(i), new Fields("value"));
            }
        }
    }
}
