package io.eyewall.tail.shared;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.integration.micro.StormFixtures;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a tuple's way from one producer to one of several executors. The executors do nothing with it, so that they contend as much
 * as possible. A thread that finds a queue full or empty yields.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
@SuppressWarnings("ThreadPriorityCheck") // There are more threads than processors.
public class SharedQueueBenchmark {

    private static final int TUPLES = 10_000;
    private static final int CAPACITY = 32_768;
    /** Counts of consumers are this far apart, so that none is on the cache line of another. */
    private static final int APART = 16;
    private static final AddressedTuple TUPLE = StormFixtures.tuple(1);

    @Param
    public Kind kind;
    @Param({"1", "2", "4", "8"})
    public int consumers;

    private Queues queues;
    private AtomicLongArray taken;
    private List<Thread> threads;
    private long inserted;
    private volatile boolean closed;

    @Setup
    public void start() {
        queues = switch (kind) {
            case MEMBERS -> members();
            case UPSTREAM -> upstream();
            case MPMC_ARRAY_QUEUE -> new Ring(new SharedTuples(CAPACITY, 0, null, new SpaceSignal()));
            case DISRUPTOR -> new Disruptor(new SharedRing(CAPACITY, consumers));
        };
        taken = new AtomicLongArray(consumers * APART);
        threads = IntStream.range(0, consumers).mapToObj(consumer -> new Thread(() -> consume(consumer), "consumer-" + consumer)).toList();
        threads.forEach(Thread::start);
    }

    /** Inserts, and waits until all is taken. */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public void perTuple() {
        for (int i = 0; i < TUPLES; i++) {
            while (!queues.offer(TUPLE)) {
                Thread.yield();
            }
        }
        inserted += TUPLES;
        while (takenByAll() < inserted) {
            Thread.yield();
        }
    }

    @TearDown
    public void stop() throws InterruptedException {
        closed = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void consume(int consumer) {
        long count = 0;
        while (!closed) {
            int now = queues.take(consumer);
            if (now == 0) {
                Thread.yield();
            } else {
                count += now;
                taken.setRelease(consumer * APART, count);
            }
        }
    }

    private long takenByAll() {
        long all = 0;
        for (int consumer = 0; consumer < consumers; consumer++) {
            all += taken.getAcquire(consumer * APART);
        }
        return all;
    }

    private Queues upstream() {
        return new InTurns(tasks().mapToObj(task -> StormFixtures.queue(task, CAPACITY).upstreamQueue()).toList());
    }

    private Queues members() {
        SharedTuples shared = new SharedTuples(CAPACITY, 0, null, new SpaceSignal());
        List<SharingQueue> members = tasks().mapToObj(task -> new SharingQueue(StormFixtures.queue(task, CAPACITY), shared, true)).toList();
        members.forEach(shared::join);
        return new InTurns(members);
    }

    private IntStream tasks() {
        return IntStream.rangeClosed(1, consumers);
    }

    /** What is compared. */
    public enum Kind {
        /** Upstream's queue, one for each executor in turns. */
        UPSTREAM,
        /** The queues of executors that share, as they are in a worker: JCTools' ring within. */
        MEMBERS,
        /** That ring and what wakes executors, without the rest of a queue of Storm's. */
        MPMC_ARRAY_QUEUE,
        /** The Disruptor's ring in the place of both. */
        DISRUPTOR
    }

    private interface Queues {
        boolean offer(AddressedTuple tuple);

        /** How many tuples an executor has taken. */
        int take(int consumer);
    }

    private record Ring(SharedTuples tuples) implements Queues {

        @Override
        public boolean offer(AddressedTuple tuple) {
            return tuples.offer(tuple);
        }

        @Override
        public int take(int consumer) {
            return tuples.poll() == null ? 0 : 1;
        }
    }

    private record Disruptor(SharedRing ring) implements Queues {

        @Override
        public boolean offer(AddressedTuple tuple) {
            return ring.offer(tuple);
        }

        @Override
        public int take(int consumer) {
            return ring.poll(consumer) == null ? 0 : 1;
        }
    }

    /** A queue for each executor, to which the producer turns one after the other, as a shuffle grouping does. */
    private static final class InTurns implements Queues {
        private final JCQueue[] queues;
        private final StormFixtures.Counter[] executed;
        private int turn;

        InTurns(List<? extends JCQueue> queues) {
            this.queues = queues.toArray(JCQueue[]::new);
            executed = queues.stream().map(queue -> new StormFixtures.Counter()).toArray(StormFixtures.Counter[]::new);
        }

        @Override
        public boolean offer(AddressedTuple tuple) {
            if (!queues[turn].tryPublish(tuple)) {
                return false;
            }
            turn = turn + 1 < queues.length ? turn + 1 : 0;
            return true;
        }

        @Override
        public int take(int consumer) {
            return queues[consumer].consume(executed[consumer]);
        }
    }
}
