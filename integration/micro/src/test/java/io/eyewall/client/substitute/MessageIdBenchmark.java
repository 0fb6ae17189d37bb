package io.eyewall.client.substitute;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.tuple.MessageId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The id of a tuple of one tree, which a bolt makes for each that it emits. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
public class MessageIdBenchmark {

    private long root = 0x1234_5678_9ABCL;
    private long id = 0x7654_3210_1234_5678L;

    @Benchmark
    public MessageId upstream() {
        Map<Long, Long> anchorsToIds = new HashMap<>();
        anchorsToIds.put(++root, ++id);
        return MessageId.makeId(anchorsToIds);
    }

    @Benchmark
    public MessageId here() {
        return new SingleAnchorMessageId(++root, ++id);
    }
}
