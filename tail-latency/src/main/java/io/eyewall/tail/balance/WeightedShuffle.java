package io.eyewall.tail.balance;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * A shuffle grouping that sends by shares: the tasks of one executor choose among the tasks of one subscriber. Choosing is safe for any
 * thread, as bolts may emit from several; {@link #adjust} is for one thread.
 */
final class WeightedShuffle implements LoadAwareCustomStreamGrouping {

    private static final long serialVersionUID = 1L;

    private final transient int[] tasks;
    private final transient List<List<Integer>> choices;
    private final transient TrafficShares shares;
    private final transient double[] latenciesNs;
    private final transient AtomicInteger turn;

    /** Written by the thread that adjusts, as is the next. */
    private transient volatile int[] ring;
    private transient volatile int[] units;

    /**
     * Equal shares.
     *
     * @param tasks the subscriber's tasks, in ascending order
     * @param aging see {@link BalancingConfiguration#aging()}
     * @param firstTurn where in the round to begin: another place for each sender, so that they do not all send to one task at a time
     */
    WeightedShuffle(List<Integer> tasks, double aging, int firstTurn) {
        this.tasks = tasks.stream().mapToInt(Integer::intValue).toArray();
        choices = tasks.stream().map(List::of).toList();
        shares = new TrafficShares(this.tasks.length, aging);
        latenciesNs = new double[this.tasks.length];
        turn = new AtomicInteger(firstTurn);
        show();
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        // It was made with its tasks.
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        int[] round = ring;
        return choices.get(round[Math.floorMod(turn.getAndIncrement(), round.length)]);
    }

    @Override
    public void refreshLoad(LoadMapping loadMapping) {
        // The load of the queues is part of the latencies.
    }

    /** The tasks that it sends to, in ascending order. */
    int[] tasks() {
        return tasks;
    }

    /** Which part of the traffic a task gets, from 0 to 1. Safe for any thread. */
    double share(int taskId) {
        int index = Arrays.binarySearch(tasks, taskId);
        return index < 0 ? 0 : units[index] / (double) (TrafficShares.EQUAL_UNITS * tasks.length);
    }

    /** Ends a period in which tasks had these latencies in ns; of others nothing is known. */
    void adjust(Map<Integer, Double> latenciesNsByTask) {
        for (int i = 0; i < tasks.length; i++) {
            latenciesNs[i] = latenciesNsByTask.getOrDefault(tasks[i], Double.NaN);
        }
        if (shares.adjust(latenciesNs)) {
            show();
        }
    }

    private void show() {
        units = shares.units();
        ring = TaskRing.of(units);
    }
}
