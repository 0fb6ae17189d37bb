package io.eyewall.client.substitute;

import com.esotericsoftware.kryo.io.ByteBufferInput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A message out of a transport's buffers becomes a tuple. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ReceivedMessageBenchmark {

    /** As many bytes as one connection receives into. */
    private static final int BUFFER_BYTES = 4 << 20;

    /** One array of bytes, one text, or many words and numbers. */
    @Param({"bytes", "text", "words"})
    private String values;
    @Param({"64", "4096", "65536", "262144"})
    private int sizeBytes;

    private final Map<String, Object> conf = Utils.readDefaultConfig();
    private final GeneralTopologyContext context = context();
    private final KryoTupleDeserializer upstreams = new KryoTupleDeserializer(conf, context);
    private final TupleReader reader = new TupleReader(conf, context, null);
    private final KryoValuesDeserializer inPlace = new KryoValuesDeserializer(conf);
    private final ByteBufferInput input = new ByteBufferInput();
    private ByteBuffer buffer;
    private int messageBytes;

    @Setup
    public void fill() {
        byte[] message = new KryoTupleSerializer(conf, context).serialize(
            new TupleImpl(context, values(), "words", 1, "default", MessageId.makeRootId(3, 4)));
        messageBytes = message.length;
        buffer = ByteBuffer.allocateDirect(Math.max(1, BUFFER_BYTES / messageBytes) * messageBytes);
        while (buffer.hasRemaining()) {
            buffer.put(message);
        }
    }

    /** An array of each message. */
    @Benchmark
    public TupleImpl upstream() {
        next();
        byte[] copy = new byte[messageBytes];
        buffer.get(copy);
        return upstreams.deserialize(copy);
    }

    /** One array for all. */
    @Benchmark
    public TupleImpl here() {
        next();
        return reader.read(buffer);
    }

    /** No array. */
    @Benchmark
    public TupleImpl inPlace() {
        next();
        input.setBuffer(buffer);
        int task = input.readInt(true);
        input.readInt(true);
        MessageId id = SingleAnchorMessageId.read(input);
        return new TupleImpl(context, inPlace.deserializeFrom(input), "words", task, "default", id);
    }

    private void next() {
        int start = buffer.limit() == buffer.capacity() ? 0 : buffer.limit();
        buffer.limit(start + messageBytes).position(start);
    }

    private List<Object> values() {
        if (values.equals("bytes")) {
            return List.of(new byte[sizeBytes]);
        }
        if (values.equals("text")) {
            return List.of("x".repeat(sizeBytes));
        }
        List<Object> words = new ArrayList<>();
        for (int i = 0; i < sizeBytes / 8; i++) {
            words.add(i % 2 == 0 ? "word" + i : (Object) i);
        }
        return words;
    }

    private GeneralTopologyContext context() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        return new GeneralTopologyContext(topology.createTopology(), conf, Map.of(1, "words"), Map.of("words", List.of(1)),
            Map.of("words", Map.of("default", new Fields("word"))), "test");
    }
}
