package io.eyewall.client.acking;

import java.util.concurrent.TimeUnit;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.utils.RotatingMap;
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

/** A spout's message that is kept until its ack comes, of a thousand that are pending. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
public class PendingMessagesBenchmark {

    private static final int PENDING = 1_000;
    private static final long TUPLE_ID = 77;

    private final RotatingMap<Long, TupleInfo> map = new RotatingMap<>(2);
    private final PendingMessages pending = new PendingMessages((root, message) -> { }, new PendingMessages.Outcome() {
        @Override
        public void acked(TupleInfo message) {
            last = message;
        }

        @Override
        public void failed(TupleInfo message) {
            last = message;
        }
    });
    private final RootIds roots = new RootIds(1, 0);
    private final RootIds acked = new RootIds(1, 0);
    private final long[] entry = {0, TUPLE_ID};
    private final AckBatch batch = AckBatch.of(entry);
    private TupleInfo last;

    @Setup
    public void emit() {
        for (int i = 0; i < PENDING; i++) {
            TupleInfo message = message();
            map.put(message.getRootId(), message);
            pending.emitted(message, TUPLE_ID);
        }
    }

    /** Storm's map; the acker's of the same kind is not counted. */
    @Benchmark
    public TupleInfo upstream() {
        TupleInfo message = message();
        map.put(message.getRootId(), message);
        return map.remove(acked.next());
    }

    /** The ledger, which is the acker too. */
    @Benchmark
    public TupleInfo here() {
        pending.emitted(message(), TUPLE_ID);
        entry[0] = acked.next() | AckBatch.ACK;
        pending.apply(batch);
        return last;
    }

    private TupleInfo message() {
        TupleInfo message = new TupleInfo();
        message.setRootId(roots.next());
        return message;
    }
}
