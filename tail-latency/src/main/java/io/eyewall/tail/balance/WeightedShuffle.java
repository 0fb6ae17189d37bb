package io.eyewall.tail.balance;

import io.eyewall.client.shuffle.TaskRing;
import io.eyewall.tail.auto.TechniqueSwitch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * A shuffle grouping that sends by shares: the tasks of one executor choose among the tasks of one subscriber. If there is a switch,
 * another grouping chooses while it is off, and shares are equal each time that it is switched on. Choosing is safe for any thread, since
 * bolts may emit from several; {@link #adjust} is for one thread.
 */
final class WeightedShuffle implements LoadAwareCustomStreamGrouping {

    private static final long serialVersionUID = 1L;

    private final transient int[] tasks;
    private final transient List<List<Integer>> choices;
    private final transient double aging;
    private final transient double[] latenciesNs;
    private final transient AtomicInteger turn;
    /** Null if it is always on. */
    private final transient TechniqueSwitch control;
    private final transient LoadAwareCustomStreamGrouping otherwise;

    /** For the adjusting thread. */
    private transient TrafficShares shares;
    private transient boolean adjusted;

    /** Written by the thread that adjusts, like the next field. */
    private transient volatile int[] ring;
    private transient volatile int[] units;

    /**
     * Equal shares.
     *
     * @param tasks the subscriber's tasks, in ascending order
     * @param aging see {@link io.eyewall.client.settings.tail.BalancingConfiguration#aging()}
     * @param firstTurn the place in the round to begin with; different for each sender, so that not all send to the same task at a time
     */
    WeightedShuffle(List<Integer> tasks, double aging, int firstTurn) {
        this(tasks, aging, firstTurn, null, null);
    }

    /**
     * Equal shares, as soon as the switch is on.
     *
     * @param control the switch
     * @param otherwise chooses while the switch is off
     */
    WeightedShuffle(List<Integer> tasks, double aging, int firstTurn, TechniqueSwitch control, LoadAwareCustomStreamGrouping otherwise) {
        this.control = control;
        this.otherwise = otherwise;
        this.aging = aging;
        this.tasks = tasks.stream().mapToInt(Integer::intValue).toArray();
        choices = tasks.stream().map(List::of).toList();
        shares = new TrafficShares(this.tasks.length, aging);
        latenciesNs = new double[this.tasks.length];
        turn = new AtomicInteger(firstTurn);
        show();
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        // The constructor has got the tasks.
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        if (!isOn()) {
            return otherwise.chooseTasks(taskId, values);
        }
        int[] round = ring;
        return choices.get(round[Math.floorMod(turn.getAndIncrement(), round.length)]);
    }

    @Override
    public void refreshLoad(LoadMapping loadMapping) {
        // Latencies contain the load of the queues.
        if (otherwise != null) {
            otherwise.refreshLoad(loadMapping);
        }
    }

    /** The tasks that it sends to, in ascending order. */
    int[] tasks() {
        return tasks;
    }

    /** The share of the traffic that a task gets, from 0 to 1. Safe for any thread. */
    double share(int taskId) {
        int index = Arrays.binarySearch(tasks, taskId);
        return index < 0 ? 0 : units[index] / (double) (TrafficShares.EQUAL_UNITS * tasks.length);
    }

    /** Ends a period in which tasks had these latencies, in ns; those of other tasks are unknown. */
    void adjust(Map<Integer, Double> latenciesNsByTask) {
        if (!isOn()) {
            if (adjusted) {
                adjusted = false;
                shares = new TrafficShares(tasks.length, aging);
                show();
            }
            return;
        }
        adjusted = true;
        for (int i = 0; i < tasks.length; i++) {
            latenciesNs[i] = latenciesNsByTask.getOrDefault(tasks[i], Double.NaN);
        }
        if (shares.adjust(latenciesNs)) {
            show();
        }
    }

    private boolean isOn() {
        return control == null || control.isOn();
    }

    private void show() {
        units = shares.units();
        ring = TaskRing.of(units);
    }
}
