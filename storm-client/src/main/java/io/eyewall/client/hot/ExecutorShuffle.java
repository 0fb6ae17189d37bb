package io.eyewall.client.hot;

import io.eyewall.client.seam.Groupings;
import io.eyewall.client.shuffle.LoadCorrectedShuffle;
import io.eyewall.client.shuffle.LocalShares;
import io.eyewall.client.substitute.SingleTaskGrouping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.Thrift;
import org.apache.storm.daemon.GrouperFactory;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadAwareShuffleGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.grouping.ShuffleGrouping;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * Storm's shuffle and local-or-shuffle groupings for executors that change.
 *
 * <p>Storm's load-aware shuffle weighs tasks by the loads of their executors, and a worker reports a load for the first task of each
 * executor only. Storm takes the other tasks for full, and after some seconds none of them gets a tuple. When an executor is split, its
 * whole queue is then for one of the new executors, and the others get their full share of new tuples after a hundred seconds. Therefore
 * the shuffle here is among the first tasks, and the tasks of an executor take turns. It is made anew when the executors have changed. An
 * executor that is not assigned gets nothing as long as there are others.
 *
 * <p>Storm's also stays within the worker until four fifths of the queues there are full. Executors of a worker that has come get nothing
 * until then. Here a worker keeps as many tuples as allow all executors to get the same: {@link LocalShares}.
 *
 * <p>A local-or-shuffle grouping, for which Storm looks for the subscriber's tasks of its own worker only once, is made anew when these
 * have changed as well. Where a process is one of several in a slot, they are those of the slot. Both are shuffles to the features that
 * decorate groupings. Safe for use by any thread.
 */
final class ExecutorShuffle implements LoadAwareCustomStreamGrouping {

    private static final long serialVersionUID = 1L;

    private final transient Groupings.Request request;
    private final transient Groupings shuffles;
    private final transient Supplier<TaskPlacement> placements;
    private final boolean loadAware;
    private final boolean prefersLocal;

    private transient volatile Choice current;

    /**
     * The grouping of a subscription.
     *
     * @param shuffles makes the grouping behind it
     * @param placements returns what is known of the tasks, the same object until it changes
     */
    ExecutorShuffle(Groupings.Request request, Groupings shuffles, Supplier<TaskPlacement> placements) {
        this.request = request;
        this.shuffles = shuffles;
        this.placements = placements;
        loadAware = isLoadAware(request);
        prefersLocal = isLocalOrShuffle(request);
        TaskPlacement placement = placements.get();
        current = choice(placement, receivers(placement));
    }

    /** Whether a subscription has a local-or-shuffle grouping. */
    static boolean isLocalOrShuffle(Groupings.Request request) {
        return Thrift.groupingType(request.grouping()) == Grouping._Fields.LOCAL_OR_SHUFFLE;
    }

    /** Whether what a subscription's grouping chooses depends on where tasks are. */
    static boolean isAbout(Groupings.Request request) {
        return isLocalOrShuffle(request) || (isLoadAware(request) && request.targetTasks().size() > 1
            && Thrift.groupingType(request.grouping()) == Grouping._Fields.SHUFFLE);
    }

    private static boolean isLoadAware(Groupings.Request request) {
        return !Boolean.TRUE.equals(request.topologyConf().get(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING));
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        // The constructor has made a grouping that is prepared.
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        TaskPlacement placement = placements.get();
        Choice choice = current;
        return (choice.placement.equals(placement) ? choice : update()).tasks(taskId, values);
    }

    @Override
    public void refreshLoad(LoadMapping loads) {
        current.among.refreshLoad(loads);
    }

    private synchronized Choice update() {
        TaskPlacement placement = placements.get();
        if (!current.placement.equals(placement)) {
            Receivers receivers = receivers(placement);
            if (receivers.executors.equals(current.receivers.executors) && receivers.shares.isPresent() == current.byShares.isPresent()) {
                if (!receivers.shares.equals(current.receivers.shares)) {
                    current.byShares.get().setShares(receivers.shares.get());
                }
                current = new Choice(placement, receivers, current.byShares, current.among, current.turns);
            } else {
                current = choice(placement, receivers);
            }
        }
        return current;
    }

    private Receivers receivers(TaskPlacement placement) {
        Map<Integer, TaskPlacement.Home> known = placement.executors();
        List<Integer> targets = chosen(request.targetTasks().stream().sorted().toList(), prefersLocal, placement.local());
        targets = chosen(targets, loadAware, known.keySet());
        Map<Integer, List<Integer>> byExecutor = targets.stream()
            .collect(Collectors.groupingBy(task -> loadAware ? placement.firstTask(task) : task));
        SortedMap<Integer, List<Integer>> executors = new TreeMap<>();
        byExecutor.values().forEach(tasks -> executors.put(tasks.get(0), tasks)); // Others of an executor that moves may not be local yet.
        return new Receivers(executors,
            placement.here().filter(here -> loadAware).map(here -> shares(here, placement, executors.keySet())));
    }

    /** The tasks that are among others, if there are any and it matters; all if not. */
    private static List<Integer> chosen(List<Integer> tasks, boolean matters, Set<Integer> others) {
        List<Integer> chosen = matters ? tasks.stream().filter(others::contains).toList() : List.of();
        return chosen.isEmpty() ? tasks : chosen;
    }

    private List<Double> shares(WorkerPlace here, TaskPlacement placement, Set<Integer> firstTasks) {
        Map<Integer, TaskPlacement.Home> known = placement.executors();
        if (!known.keySet().containsAll(firstTasks) || (prefersLocal && placement.local().containsAll(firstTasks))) {
            return LocalShares.equal(firstTasks.size());
        }
        List<WorkerPlace> senders = request.context().getComponentTasks(request.componentId()).stream().map(known::get)
            .filter(Objects::nonNull).distinct().map(TaskPlacement.Home::place).toList();
        return LocalShares.of(here, senders, firstTasks.stream().map(task -> known.get(task).place()).toList());
    }

    private Choice choice(TaskPlacement placement, Receivers receivers) {
        List<Integer> firstTasks = List.copyOf(receivers.executors.keySet());
        Map<Integer, Turns> turns = new HashMap<>();
        receivers.executors.forEach((first, tasks) -> {
            if (tasks.size() > 1) {
                turns.put(first, new Turns(tasks));
            }
        });
        Optional<LoadCorrectedShuffle> byShares =
            receivers.shares.map(shares -> new LoadCorrectedShuffle(firstTasks, shares, request.topologyConf()));
        LoadAwareCustomStreamGrouping undecorated = byShares.isPresent() ? byShares.get() : storms(firstTasks);
        return new Choice(placement, receivers, byShares, shuffles.grouping(SingleTaskGrouping.applyTo(new Groupings.Request(
            request.context(), request.componentId(), request.streamId(), request.outFields(), Grouping.shuffle(new NullStruct()),
            firstTasks, request.topologyConf(), undecorated))), turns);
    }

    private LoadAwareCustomStreamGrouping storms(List<Integer> tasks) {
        LoadAwareCustomStreamGrouping grouping = loadAware ? new LoadAwareShuffleGrouping()
            : new GrouperFactory.BasicLoadAwareCustomStreamGrouping(new ShuffleGrouping());
        grouping.prepare(request.context(), new GlobalStreamId(request.componentId(), request.streamId()), new ArrayList<>(tasks));
        return grouping;
    }

    /**
     * Executors to choose from.
     *
     * @param executors the tasks of each, by the first of them
     * @param shares of each, in that order; empty if Storm's shuffle chooses
     */
    private record Receivers(SortedMap<Integer, List<Integer>> executors, Optional<List<Double>> shares) {
    }

    /**
     * A shuffle.
     *
     * @param placement what is known
     * @param receivers the executors to choose from
     * @param byShares chooses among their first tasks; empty if Storm's shuffle does
     * @param among the one or the other with what features make of it
     * @param turns of the executors that have several tasks, by the first of these
     */
    private record Choice(TaskPlacement placement, Receivers receivers, Optional<LoadCorrectedShuffle> byShares,
        LoadAwareCustomStreamGrouping among, Map<Integer, Turns> turns) {

        List<Integer> tasks(int taskId, List<Object> values) {
            List<Integer> chosen = among.chooseTasks(taskId, values);
            Turns inTurn = turns.isEmpty() ? null : turns.get(chosen.get(0));
            return inTurn == null ? chosen : inTurn.next();
        }
    }

    /** The tasks of an executor, which take turns. */
    private static final class Turns {

        private final List<List<Integer>> tasks;
        /** Two threads that emit at once may get the same task: nothing depends on that. */
        private int turn;

        Turns(List<Integer> tasks) {
            this.tasks = tasks.stream().map(List::of).toList();
        }

        List<Integer> next() {
            int now = turn;
            turn = now + 1 < tasks.size() ? now + 1 : 0;
            return tasks.get(now);
        }
    }
}
