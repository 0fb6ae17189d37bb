package io.eyewall.client.substitute;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.storm.stats.BoltExecutorStats;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A bolt's capacity at a tuple that Storm's metrics sample, of a bolt that has one input. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
public class CapacityBenchmark {

    private static final MethodHandle CAPACITY = capacityMethod();
    private static final List<String> STREAM = List.of("words", "default");
    /** Of 200,000 tuples. */
    private static final int SAMPLES_PER_SEC = 10_000;
    private static final int BUCKETS = 20;
    private static final int RATE = 20;

    private BoltExecutorStats stats;
    private long samples;

    @Setup
    @SuppressWarnings("unchecked")
    public void execute() {
        stats = new BoltExecutorStats(RATE, BUCKETS);
        stats.getExecuteLatencies().record(STREAM, 1L);
        stats.getExecuted().incBy(STREAM, 1);
    }

    /** Worked out at every sample: each is the first one of a second. */
    @Benchmark
    public double upstream() throws Throwable {
        return (double) CAPACITY.invokeExact(stats, ++samples);
    }

    @Benchmark
    public double here() throws Throwable {
        return (double) CAPACITY.invokeExact(stats, ++samples / SAMPLES_PER_SEC + 1);
    }

    @TearDown
    public void close() {
        stats.cleanupStats();
    }

    private static MethodHandle capacityMethod() {
        try {
            var method = BoltExecutorStats.class.getDeclaredMethod("calculateCapacity", long.class);
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This is not the BoltExecutorStats of Storm 2.8.3.", e);
        }
    }
}
