package io.eyewall.client.frame;

import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.substitute.LoggedDrops;
import io.eyewall.client.substitute.ReceivedMessages;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.UpstreamBatches;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.PooledByteBufAllocator;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A tuple becomes bytes of a connection's buffer, and these become a tuple again: in frames, and in upstream's way, with an array, a
 * message and a place in a batch for each. Queues and connections in between are left out.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
public class FrameBenchmark {

    private static final int TUPLES = 1_000;
    private static final int TASKS = 4;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int FRAME_BYTES = 32_768;
    private static final int ARRAY_BYTES = 100;

    /** A text; a word, its number and an anchor; some values; values with one that is Kryo's. */
    @Param({"text", "count", "order", "kryo"})
    private String values;

    private final Map<String, Object> conf = Utils.readDefaultConfig();
    private final GeneralTopologyContext context = context(conf);
    private final List<TupleImpl> tuples = new ArrayList<>();
    private final ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(BUFFER_BYTES);

    private final KryoTupleSerializer serializer = new KryoTupleSerializer(conf, context);
    private final UpstreamBatches batches = new UpstreamBatches(conf);
    private final ReceivedMessages received = new ReceivedMessages(conf, context, batch -> taken = batch, () -> null, false,
        new LoggedDrops());

    private final FrameWriter writer = new FrameWriter(conf, context, null, TupleLimit.NONE);
    private final OpenFrame open = new OpenFrame(new FramePool(FRAME_BYTES, 8));
    private final FrameReader reader = new FrameReader(conf, context, null, (component, stream, cause) -> {
        throw new AssertionError(cause);
    });
    private final List<byte[]> frames = new ArrayList<>();
    private ByteBuf upstreamBytes;
    private List<byte[]> frameBytes;
    private List<AddressedTuple> taken = new ArrayList<>();

    @Setup
    public void fill() {
        Random random = new Random(1);
        for (int i = 0; i < TUPLES; i++) {
            MessageId id = values.equals("text") ? MessageId.makeUnanchored()
                : new SingleAnchorMessageId((1L << 42) | i, random.nextLong());
            tuples.add(new TupleImpl(context, tuple(values, i), "words", 1, "default", id));
        }
        upstreamBytes = PooledByteBufAllocator.DEFAULT.directBuffer(BUFFER_BYTES).writeBytes(writeUpstream());
        frameBytes = List.copyOf(writeFrames());
        System.out.printf("Bytes per tuple: upstream %.1f, frames %.1f%n", upstreamBytes.readableBytes() / (double) TUPLES,
            frameBytes.stream().mapToInt(bytes -> bytes.length).sum() / (double) TUPLES);
    }

    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public ByteBuf writeUpstream() {
        for (int i = 0; i < TUPLES; i++) {
            batches.add(new TaskMessage(task(i), serializer.serialize(tuples.get(i))));
        }
        batches.write(buffer.clear());
        return buffer;
    }

    /** A frame is already in an array that a connection can send. */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public List<byte[]> writeFrames() {
        frames.clear();
        for (int i = 0; i < TUPLES; i++) {
            writer.write(open, task(i), tuples.get(i));
            if (open.isFull()) {
                frames.add(open.complete());
            }
        }
        if (open.tuples() > 0) {
            frames.add(open.complete());
        }
        return frames;
    }

    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public List<AddressedTuple> readUpstream() throws Exception {
        received.recv(batches.read(upstreamBytes.readerIndex(0)));
        return taken;
    }

    /** With an array for each frame, as a connection that does not know frames makes it. */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public List<AddressedTuple> readFrames() throws FrameException {
        taken = new ArrayList<>();
        for (byte[] bytes : frameBytes) {
            byte[] frame = bytes.clone();
            reader.read(frame, 0, frame.length, taken);
        }
        return taken;
    }

    private static int task(int i) {
        return 2 + i % TASKS;
    }

    static List<Object> tuple(String values, int i) {
        return switch (values) {
            case "text" -> List.of("some data");
            case "count" -> List.of("word" + i, (long) i);
            case "order" -> List.of("customer-" + i, 1_000_000_000_000L + i, i, i * 0.99, i % 2 == 0, new byte[ARRAY_BYTES]);
            default -> List.of("customer-" + i, (long) i, BigInteger.valueOf(i));
        };
    }

    /** Five tasks. */
    static GeneralTopologyContext context(Map<String, Object> conf) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout(), 1 + TASKS);
        List<Integer> tasks = List.of(1, 2, 3, 4, 5);
        return new GeneralTopologyContext(topology.createTopology(), conf,
            Map.of(1, "words", 2, "words", 3, "words", 4, "words", 5, "words"), Map.of("words", tasks),
            Map.of("words", Map.of("default", new Fields("word"))), "test");
    }
}
