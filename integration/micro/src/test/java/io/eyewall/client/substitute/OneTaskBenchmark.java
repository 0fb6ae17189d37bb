package io.eyewall.client.substitute;

import io.eyewall.client.seam.Groupings;
import io.eyewall.client.seam.woven.WovenCalls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadAwareShuffleGrouping;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A tuple for a subscriber of one task: the choice of that task, and the note that its queue is to be flushed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
public class OneTaskBenchmark {

    private static final int SOURCE = 1;
    private static final int TARGET = 2;
    private static final int PORT = 6700;
    private static final List<Object> WORD = List.of("word");

    private final AtomicReferenceArray<Object> noted = new AtomicReferenceArray<>(TARGET + 1);
    private final Object queue = new Object();
    private LoadAwareCustomStreamGrouping upstream;
    private LoadAwareCustomStreamGrouping here;

    @Setup
    public void prepare() {
        WorkerTopologyContext context = new WorkerTopologyContext(new StormTopology(Map.of(), Map.of(), Map.of()),
            Utils.readDefaultConfig(), Map.of(SOURCE, "words", TARGET, "sink"), Map.of("words", List.of(SOURCE), "sink", List.of(TARGET)),
            Map.of(), "test-1", null, null, PORT, List.of(SOURCE, TARGET), new HashMap<>(), new HashMap<>(),
            new AtomicReference<>(Map.of()), "here", new AtomicReference<>(Map.of()));
        upstream = new LoadAwareShuffleGrouping();
        upstream.prepare(context, new GlobalStreamId("words", "default"), List.of(TARGET));
        here = SingleTaskGrouping.applyTo(new Groupings.Request(context, "words", "default", new Fields("word"),
            Grouping.shuffle(new NullStruct()), List.of(TARGET), Map.of(), upstream)).upstreamGrouping();
    }

    @Benchmark
    public List<Integer> chosenUpstream() {
        return upstream.chooseTasks(SOURCE, WORD);
    }

    @Benchmark
    public List<Integer> chosenHere() {
        return here.chooseTasks(SOURCE, WORD);
    }

    @Benchmark
    public void notedUpstream() {
        noted.set(TARGET, queue);
    }

    @Benchmark
    public void notedHere() {
        WovenCalls.noteForFlush(noted, TARGET, queue);
    }
}
