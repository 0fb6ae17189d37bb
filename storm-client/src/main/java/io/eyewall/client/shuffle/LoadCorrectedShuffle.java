package io.eyewall.client.shuffle;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.Load;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.utils.ObjectReader;

/**
 * A shuffle by given shares, which the loads of queues correct as in Storm's load-aware shuffle: at each refresh, about once a second, the
 * weight of a task falls by 10 of 100 if its queue is fuller than the emptiest by a twentieth or its load is unknown, and rises by 1
 * otherwise. Unlike in Storm's, an unknown load changes nothing in the first refreshes, since a worker that has just started reports late;
 * and a task whose load becomes known has its full weight at once.
 *
 * <p>The keys {@code topology.localityaware.higher.bound} and {@code .lower.bound} apply as well: when the queues of the tasks that have
 * shares are fuller than the first on average, all tasks get the same share until these queues are emptier than the second.
 *
 * <p>Tasks take turns as evenly as their shares allow, in an order that changes by chance, so that no pattern of tuples meets the same task
 * each time. One thread chooses, or several whose tuples may go to the same task for a moment. Any thread may refresh or set shares.
 */
public final class LoadCorrectedShuffle implements LoadAwareCustomStreamGrouping {

    private static final long serialVersionUID = 1L;

    private static final int FULL_WEIGHT = 100;
    private static final int LOST_WEIGHT = 10;
    /** Refreshes until an unknown load counts: enough for a worker to start. */
    private static final int PATIENCE = 30;
    private static final double MORE_THAN_OTHERS = 0.05;
    private static final double HIGHER_BOUND = 0.8;
    private static final double LOWER_BOUND = 0.2;
    /** Of a round, unless there are very many tasks. */
    private static final int MAX_TURNS = 4_096;
    /** Turns of each task in a round on average, at most and at least. Shares are rounded up to whole turns. */
    private static final int MAX_TURNS_EACH = 32;
    private static final int MIN_TURNS_EACH = 4;
    /** Of the arithmetic, which does not make a turn. */
    private static final double ROUNDING = 1e-6;

    private final transient int[] tasks;
    private final transient List<List<Integer>> choices;
    private final transient double higherBound;
    private final transient double lowerBound;

    /** This and the next four: guarded by this object. */
    private transient double[] shares;
    private final transient int[] weights;
    private final transient boolean[] isKnown;
    private transient int refreshes;
    private transient boolean isEqual;

    private transient volatile int[] round;
    /** The last turn. Of the threads that choose: if there are two at once, both may choose the same. */
    private transient int turn = -1;

    /**
     * A shuffle among some tasks.
     *
     * @param shares the share of each task, 0 or above
     * @param conf the configuration of the topology
     */
    public LoadCorrectedShuffle(List<Integer> tasks, List<Double> shares, Map<String, Object> conf) {
        this.tasks = tasks.stream().mapToInt(Integer::intValue).toArray();
        this.shares = array(shares);
        choices = tasks.stream().map(List::of).toList();
        higherBound = ObjectReader.getDouble(conf.get(Config.TOPOLOGY_LOCALITYAWARE_HIGHER_BOUND), HIGHER_BOUND);
        lowerBound = ObjectReader.getDouble(conf.get(Config.TOPOLOGY_LOCALITYAWARE_LOWER_BOUND), LOWER_BOUND);
        weights = tasks.stream().mapToInt(task -> FULL_WEIGHT).toArray();
        isKnown = new boolean[this.tasks.length];
        round = makeRound();
    }

    private static double[] array(List<Double> shares) {
        return shares.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Sets other shares of the same tasks, some of which may be in workers that have just started. */
    public synchronized void setShares(List<Double> others) {
        shares = array(others);
        refreshes = 0;
        round = makeRound();
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        // The constructor has got the tasks.
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        int[] now = round;
        int next = turn + 1;
        if (next >= now.length) {
            next = 0;
        }
        turn = next;
        return choices.get(now[next]);
    }

    @Override
    public synchronized void refreshLoad(LoadMapping mapping) {
        Load[] loads = IntStream.of(tasks).mapToObj(mapping::getLoad).toArray(Load[]::new);
        refreshes = Math.min(refreshes + 1, PATIENCE + 1);
        boolean changed = followBounds(loads);
        double least = used().mapToDouble(task -> loads[task].getLoad()).min().orElse(0);
        for (int task = 0; task < tasks.length; task++) {
            int weight = share(task) == 0 ? FULL_WEIGHT : weight(task, loads[task], least);
            changed |= weight != weights[task];
            weights[task] = weight;
            isKnown[task] = loads[task].hasMetrics();
        }
        if (changed) {
            round = makeRound();
        }
    }

    /** A load that is unknown is 1, that is, a full queue's. */
    private int weight(int task, Load load, double least) {
        if (!load.hasMetrics() && refreshes <= PATIENCE) {
            return weights[task];
        }
        if (load.hasMetrics() && !isKnown[task]) {
            return FULL_WEIGHT;
        }
        return load.getLoad() > least + MORE_THAN_OTHERS ? Math.max(0, weights[task] - LOST_WEIGHT)
            : Math.min(FULL_WEIGHT, weights[task] + 1);
    }

    /** Lets all tasks get tuples, or only those with shares again, if the queues of the latter demand it; returns whether it did. */
    private boolean followBounds(Load[] loads) {
        double average = IntStream.range(0, tasks.length).filter(task -> shares[task] > 0 && loads[task].hasMetrics())
            .mapToDouble(task -> loads[task].getLoad()).average().orElse(0);
        boolean before = isEqual;
        isEqual = Arrays.stream(shares).anyMatch(share -> share == 0) && (before ? average >= lowerBound : average > higherBound);
        return isEqual != before;
    }

    private double share(int task) {
        return isEqual ? 1.0 / tasks.length : shares[task];
    }

    private IntStream used() {
        return IntStream.range(0, tasks.length).filter(task -> share(task) > 0);
    }

    private int[] makeRound() {
        if (used().allMatch(task -> weights[task] == 0)) {
            Arrays.fill(weights, FULL_WEIGHT); // Of those that had weights, none has a share any more.
        }
        double all = used().mapToDouble(task -> share(task) * weights[task]).sum();
        int length = Math.max(MIN_TURNS_EACH, Math.min(MAX_TURNS_EACH, MAX_TURNS / tasks.length)) * tasks.length;
        return mixed(TaskRing.of(IntStream.range(0, tasks.length)
            .map(task -> (int) Math.ceil(share(task) * weights[task] / all * length - ROUNDING)).toArray()), length);
    }

    /** Repeats an even order up to a length, and mixes it within pieces in which each task has one turn on average. */
    private int[] mixed(int[] even, int length) {
        int[] turns = new int[even.length * Math.max(1, length / even.length)];
        for (int from = 0; from < turns.length; from += even.length) {
            System.arraycopy(even, 0, turns, from, even.length);
        }
        int piece = (int) used().count();
        for (int from = 0; from < turns.length; from += piece) {
            for (int i = Math.min(from + piece, turns.length) - 1; i > from; i--) {
                int other = ThreadLocalRandom.current().nextInt(from, i + 1);
                int swapped = turns[i];
                turns[i] = turns[other];
                turns[other] = swapped;
            }
        }
        return turns;
    }
}
