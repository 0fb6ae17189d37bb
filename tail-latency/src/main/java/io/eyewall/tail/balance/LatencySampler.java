package io.eyewall.tail.balance;

import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.time.NanoClock;
import io.eyewall.tail.auto.BoltLoad;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/**
 * Measures the time for which the tasks of one executor keep a tuple: the wait in the executor's queue and the execution. It follows one
 * tuple at a time, from a producer's thread through the queue to the {@link ExecutionFollower} of the executor. Then it lets a number of
 * tuples pass before the next one. The mean of that number grows with the rate of tuples, so that the cost does not depend on the rate. The
 * number is random: with a fixed one, the sampler might always follow the first tuple of a burst. Executors that may share a queue have one
 * sampler, and one latency while they share. From the time of the executions and their number the sampler also computes the utilisation of
 * the executors.
 *
 * <p>A tuple that waits for longer than a period counts in each period with the time that it has waited so far.
 */
final class LatencySampler implements QueueProbe {

    /** About how many tuples are followed in a period for each latency that is reported, if as many arrive. */
    private static final int SAMPLES_PER_PERIOD = 250;
    /** After this many periods a followed tuple counts as lost: an overflowing queue may have dropped it. */
    private static final int PATIENCE_PERIODS = 10;

    /** State: a tuple that is inserted soon will be followed. */
    private static final int ARMED = 0;
    /** State: a producer notes the tuple to follow. */
    private static final int NOTING = 1;
    /** State: a tuple is followed. */
    private static final int FOLLOWING = 2;
    /** State: no tuple is followed until {@link #resume}. */
    private static final int OFF = 3;

    private final NanoClock clock;
    private final SplittableRandom random;
    /** The tasks of each executor. */
    private final List<List<Integer>> executors = new CopyOnWriteArrayList<>();
    private final BooleanSupplier isShared;
    private final AtomicInteger state = new AtomicInteger(ARMED);

    /** How many tuples are inserted before the one to follow. Written by the follower's thread before the state; then producers count it
     * down. Two producers that do so at once may count only once. */
    private int untilFollowed = 1;

    /** The followed tuple and when it was inserted; written by the producer that noted it, before the state. */
    private Tuple followed;
    private int followedTask;
    private long insertedNs;

    /** Used under this object's lock, like the next fields. */
    private final Map<Integer, Mean> means = new HashMap<>();
    private long periodBeganNs;
    private long executed;
    private long followedNs;
    private long followedCount;
    private long every = 1;
    private int periodsWithout;

    /**
     * A sampler that starts at once.
     *
     * @param isShared whether any of several executors may take a tuple now
     */
    LatencySampler(NanoClock clock, SplittableRandom random, BooleanSupplier isShared) {
        this.clock = clock;
        this.random = random;
        this.isShared = isShared;
        periodBeganNs = clock.nanoTime();
    }

    /** Adds an executor with these tasks. */
    void add(List<Integer> tasks) {
        executors.add(tasks);
    }

    /** Removes the executor with these tasks. */
    void remove(List<Integer> tasks) {
        executors.remove(tasks);
    }

    /** The follower for one executor. */
    ExecutionFollower follower() {
        return new ExecutionFollower(this, clock);
    }

    /**
     * Follows no tuples from now on, which costs producers and the follower a look at the state. If the follower just ends with a tuple, it
     * goes on, so this is called in every period.
     */
    void pause() {
        state.compareAndSet(ARMED, OFF);
        state.compareAndSet(FOLLOWING, OFF);
    }

    /** Follows tuples again, and begins a period if it did not. */
    synchronized void resume() {
        if (state.get() == OFF) {
            forget(clock.nanoTime());
            periodsWithout = 0;
            every = 1;
            state.set(ARMED);
        }
    }

    /** Whether no tuples are followed. */
    boolean isPaused() {
        return state.get() == OFF;
    }

    /**
     * Ends a period and puts the mean latency, in ns, of each task that has one into a map.
     *
     * @return the load of the executors; fully busy if the followed tuple was not executed in a whole period
     */
    synchronized BoltLoad endPeriod(Map<Integer, Double> latenciesNs) {
        long nowNs = clock.nanoTime();
        double busyNs = followedCount == 0 ? 0 : (double) executed * followedNs / followedCount;
        boolean stuck = means.isEmpty() && state.get() == FOLLOWING && insertedNs <= periodBeganNs;
        int number = Math.max(1, executors.size());
        final double utilisation = stuck ? 1 : Math.min(1, busyNs / ((double) Math.max(1, nowNs - periodBeganNs) * number));
        if (!means.isEmpty()) {
            periodsWithout = 0;
            show(latenciesNs);
        } else if (stuck) {
            periodsWithout++;
            double waitedNs = Math.max(1, nowNs - insertedNs);
            (isShared.getAsBoolean() ? tasks() : List.of(followedTask)).forEach(task -> latenciesNs.put(task, waitedNs));
            if (periodsWithout >= PATIENCE_PERIODS) {
                periodsWithout = 0;
                state.compareAndSet(FOLLOWING, ARMED);
            }
        }
        every = Math.max(1, executed / ((long) SAMPLES_PER_PERIOD * (isShared.getAsBoolean() ? 1 : number)));
        forget(nowNs);
        return new BoltLoad(executors.size(), utilisation);
    }

    /** The tasks of the executors. */
    List<Integer> tasks() {
        return executors.stream().flatMap(List::stream).distinct().toList();
    }

    @Override
    public void inserting(Object element) {
        if (state.get() == ARMED && element instanceof AddressedTuple addressed && addressed.dest >= 0
                && !Utils.isSystemId(addressed.tuple.getSourceStreamId()) && --untilFollowed <= 0 && state.compareAndSet(ARMED, NOTING)) {
            followed = addressed.tuple;
            followedTask = addressed.dest;
            insertedNs = clock.nanoTime();
            state.set(FOLLOWING);
        }
    }

    @Override
    public void overflowing(Object element) {
        inserting(element);
    }

    /** Whether a tuple is followed. */
    boolean isFollowed(Tuple tuple) {
        return state.get() == FOLLOWING && followed == tuple;
    }

    /** When the followed tuple was inserted. */
    long insertedNs() {
        return insertedNs;
    }

    /**
     * Records that the followed tuple has been executed, and chooses the next one.
     *
     * @param latencyNs the time since it was inserted
     * @param executionNs the time since its execution began
     * @param executedSince the number of tuples that the same executor has executed since the last call
     */
    void executed(int taskId, long latencyNs, long executionNs, long executedSince) {
        untilFollowed = skipped(taskId, latencyNs, executionNs, executedSince);
        state.set(ARMED);
    }

    private synchronized int skipped(int taskId, long latencyNs, long executionNs, long executedSince) {
        Mean mean = means.computeIfAbsent(taskId, task -> new Mean());
        mean.sumNs += latencyNs;
        mean.count++;
        followedNs += executionNs;
        followedCount++;
        executed += executedSince;
        return every == 1 ? 1 : 1 + (int) random.nextLong(Math.min(2 * every - 1, Integer.MAX_VALUE));
    }

    /** Begins a period. */
    private void forget(long nowNs) {
        periodBeganNs = nowNs;
        means.clear();
        executed = 0;
        followedNs = 0;
        followedCount = 0;
    }

    private void show(Map<Integer, Double> latenciesNs) {
        if (isShared.getAsBoolean()) {
            double sumNs = means.values().stream().mapToDouble(mean -> mean.sumNs).sum();
            long count = means.values().stream().mapToLong(mean -> mean.count).sum();
            tasks().forEach(task -> latenciesNs.put(task, sumNs / count));
        } else {
            means.forEach((task, mean) -> latenciesNs.put(task, mean.sumNs / mean.count));
        }
    }

    private static final class Mean {
        private double sumNs;
        private long count;
    }
}
