package io.eyewall.client.frame;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.seam.woven.ReceivedGroups;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import io.eyewall.integration.micro.StormFixtures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.JCQueue;
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
 * The tuples of a frame enter the queues of their tasks, by turns, and are taken out again: one by one, as upstream inserts them, and in
 * groups. All on one thread; {@code read} is the part that both have.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
public class ReceivedFrameBenchmark {

    private static final int TUPLES = 1_000;
    private static final int FIRST_TASK = 2;
    private static final int CAPACITY = 8_192;
    private static final int FRAME_BYTES = 32_768;

    @Param({"1", "4"})
    int tasks;

    private final Map<String, Object> conf = Utils.readDefaultConfig();
    private final GeneralTopologyContext context = FrameBenchmark.context(conf);
    private final FrameReader reader = new FrameReader(conf, context, null, (component, stream, cause) -> {
        throw new AssertionError(cause);
    });
    private final ReceivedGroups groups = new ReceivedGroups();
    private final Map<Integer, JCQueue> queues = new HashMap<>();
    private final StormFixtures.Counter taken = new StormFixtures.Counter();
    private byte[] frame;

    @Setup
    public void fill() {
        FrameWriter writer = new FrameWriter(conf, context, null, TupleLimit.NONE);
        OpenFrame open = new OpenFrame(new FramePool(FRAME_BYTES, 2));
        for (int i = 0; i < TUPLES; i++) {
            writer.write(open, FIRST_TASK + i % tasks, new TupleImpl(context, FrameBenchmark.tuple("count", i), "words", 1, "default",
                new SingleAnchorMessageId((1L << 42) | i, i)));
        }
        frame = open.complete();
        for (int task = FIRST_TASK; task < FIRST_TASK + tasks; task++) {
            queues.put(task, new WakingQueue(StormFixtures.queue(task, CAPACITY), true, new SpaceSignal()));
        }
    }

    /** With an array of its own, as it comes from a connection. */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    @SuppressWarnings("NonApiType") // As upstream takes it.
    public ArrayList<AddressedTuple> read() throws FrameException {
        ArrayList<AddressedTuple> tuples = new ArrayList<>();
        byte[] bytes = frame.clone();
        reader.read(bytes, 0, bytes.length, tuples);
        return tuples;
    }

    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public int oneByOne() throws FrameException {
        List<AddressedTuple> tuples = read();
        for (int i = 0; i < tuples.size(); i++) {
            AddressedTuple tuple = tuples.get(i);
            JCQueue queue = queues.get(tuple.dest);
            if (!queue.isEmptyOverflow() || !queue.tryPublishDirect(tuple)) {
                throw new IllegalStateException("full");
            }
        }
        return take();
    }

    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public int inGroups() throws FrameException {
        ArrayList<AddressedTuple> tuples = read();
        groups.insert(tuples, queues);
        if (!tuples.isEmpty()) {
            throw new IllegalStateException("full");
        }
        return take();
    }

    private int take() {
        int count = 0;
        for (JCQueue queue : queues.values()) {
            count += queue.consume(taken);
        }
        return count;
    }
}
