package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.storm.generated.NodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the tuples of each pair of tasks in order while instances leave a container. Without threads or a clock; used by one
 * thread.
 *
 * <p>An instance that wants to leave goes on until every other stream manager has reported that it knows, and has therefore sent its last
 * tuple; later tuples wait where they were emitted. Only then is it sent nothing more. So no tuple is on its way to a container that the
 * instance has left, where it could be overtaken by tuples for the instance's successor.
 *
 * <p>When it has sent its last tuple, its successor may start. The successor is not read while this container owes tuples: until those that
 * wait here for others have been sent, and every other stream manager has reported that it has them.
 *
 * <p>The markers between two ends of a channel are those of K. M. Chandy and L. Lamport, Distributed Snapshots: Determining Global States
 * of Distributed Systems, ACM Transactions on Computer Systems 3 (1), 1985, section 3.1.
 *
 * <p>A container that has nothing left makes a last mark. When all others have reported it, everything has arrived that they had sent to
 * it and it to them.
 *
 * <p>Others compare tasks, since a task may come to an instance that has other ones as well, or to none of its own.
 *
 * <p>A stream manager that is silent does not count. There is a limit to the waiting, for one that reports and does not answer and for
 * instances that never start. After the limit tuples may be overtaken, and none is lost.
 */
final class Departures {

    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);

    /** How long others may take to see that an instance leaves. They report every second, and are silent after five. */
    static final int LEAVE_SECS = 10;
    /** How long the tuples of an instance may be on their way, including the time in which an instance starts. */
    static final int OWED_SECS = 30;
    /** How often it is logged whom a container without tasks waits for. */
    private static final int LOGGED_SECS = 30;

    /** By instance, as the next one. */
    private final Map<Integer, Wait> leaving = new TreeMap<>();
    private final Map<Integer, Wait> owed = new TreeMap<>();
    /** By task. */
    private final Map<Integer, Wait> claimed = new TreeMap<>();
    /** The tasks that have left, and whose processes may not have ended. */
    private final Set<Integer> ending = new HashSet<>();
    /** The tasks that the container may read that it may start, and those that it is told next. */
    private final Set<Integer> offered = new HashSet<>();
    private Set<Integer> offeredLast = Set.of();
    /** The mark behind the last tuple of this container; empty unless nothing is left in it. */
    private Optional<Wait> lastMark = Optional.empty();
    private final RestingLoops loops;
    private final int leaveSecs;
    private final int owedSecs;
    private long mark;

    /** Waits until others have seen a mark. */
    private static final class Wait {
        private long from;
        private int secs;
        /** Whether it has ended, for one that leaves. */
        private boolean isOver;
        private final Set<Integer> tasks;

        Wait(long from, Set<Integer> tasks) {
            this.from = from;
            this.tasks = tasks;
        }
    }

    /** Nothing leaves; {@code firstMark} is random, so that nobody takes marks and numbers of another process for those of this one. */
    Departures(long firstMark) {
        this(firstMark, LEAVE_SECS, OWED_SECS);
    }

    /** With other limits. */
    Departures(long firstMark, int leaveSecs, int owedSecs) {
        mark = firstMark;
        loops = new RestingLoops(firstMark);
        this.leaveSecs = leaveSecs;
        this.owedSecs = owedSecs;
    }

    /** An instance with these tasks wants to leave. */
    void asks(int instance, Set<Integer> tasks) {
        leaving.put(instance, new Wait(++mark, tasks));
    }

    /** An instance does not leave any more: it is gone, or its successor is here. */
    void forget(int instance) {
        leaving.remove(instance);
    }

    /** No process is left, and nothing is owed any more. */
    void forgetAll() {
        leaving.clear();
        owed.clear();
        claimed.clear();
    }

    /**
     * An instance that leaves has sent its last tuple. Its process is still there, so the container has not started a next one. The tasks
     * that go elsewhere are released at once, except those that the container may still read that it may start. These are released as
     * soon as it can no longer do so, and has no process of them.
     *
     * @param tasks its own
     * @param wanted the tasks that the plan has here, so that they start again: their claims then stay
     */
    void left(int instance, Set<Integer> tasks, Set<Integer> wanted) {
        leaving.remove(instance);
        Set<Integer> unwanted = new TreeSet<>(tasks);
        unwanted.removeAll(wanted);
        unwanted.removeAll(offered);
        claimed.keySet().removeAll(unwanted);
        ending.addAll(unwanted);
        Set<Integer> all = new TreeSet<>(tasks);
        Wait before = owed.get(instance);
        if (before != null) {
            all.addAll(before.tasks); // It had others then.
        }
        owed.put(instance, new Wait(++mark, all));
    }

    /** What waited of these instances has been sent. */
    void sentOn(Set<Integer> sources) {
        long now = mark + 1;
        for (int source : sources) {
            Wait wait = owed.get(source);
            if (wait != null) {
                wait.from = now;
                wait.secs = 0;
                mark = now;
            }
        }
    }

    /** The container is told next that it may start these tasks, and no others. */
    void offers(Set<Integer> startable) {
        offeredLast = Set.copyOf(startable);
        offered.addAll(startable);
    }

    /**
     * Claims the tasks of the plan, and those that have a process. The container was told what it {@linkplain #offers may start} before
     * {@code running} was read.
     *
     * @param wanted those of the plan
     * @param running those of processes
     */
    void claim(Set<Integer> wanted, Set<Integer> running) {
        offered.retainAll(offeredLast);
        ending.retainAll(running);
        ending.removeAll(wanted);
        Set<Integer> all = new HashSet<>(running);
        all.removeAll(ending);
        all.addAll(wanted);
        claimed.keySet().retainAll(all);
        all.removeAll(claimed.keySet());
        if (!all.isEmpty()) {
            mark++;
            all.forEach(task -> claimed.put(task, new Wait(mark, Set.of(task))));
        }
    }

    /** The claimed tasks of which every other stream manager knows that, so that it would not start them. */
    Set<Integer> knownClaims(Collection<InstanceStatus> others) {
        return claimed.entrySet().stream().filter(entry -> entry.getValue().secs >= leaveSecs || isSeen(entry.getValue().from, others))
            .map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    boolean isLeaving(int task) {
        return leaving.values().stream().anyMatch(wait -> wait.tasks.contains(task));
    }

    Set<Integer> leaving() {
        return tasks(leaving);
    }

    private static Set<Integer> tasks(Map<Integer, Wait> waits) {
        Set<Integer> all = new HashSet<>();
        waits.values().forEach(wait -> all.addAll(wait.tasks));
        return all;
    }

    /** The instances that get nothing more from now on. */
    List<Integer> takeReady(Collection<InstanceStatus> others) {
        List<Integer> ready = new ArrayList<>();
        leaving.forEach((instance, wait) -> {
            if (!wait.isOver && (wait.secs >= leaveSecs || isSeen(wait.from, others))) {
                wait.isOver = true;
                ready.add(instance);
                if (wait.secs >= leaveSecs) {
                    LOG.warn("Other stream managers have not confirmed within {} s that instance {} leaves. It leaves now. Tuples may be"
                        + " overtaken by later ones.", leaveSecs, instance);
                }
            }
        });
        return ready;
    }

    /** Forgets the instances of which all tuples have arrived; {@code holds} says whether some of an instance still wait here. */
    void settle(Collection<InstanceStatus> others, IntPredicate holds) {
        owed.entrySet().removeIf(entry -> {
            boolean isLate = entry.getValue().secs >= owedSecs;
            if (isLate) {
                LOG.warn("Tuples that instance {} had sent before it left have been on their way for {} s, and may be overtaken by later"
                    + " ones.", entry.getKey(), owedSecs);
            }
            return isLate || (!holds.test(entry.getKey()) && isSeen(entry.getValue().from, others));
        });
    }

    /**
     * Makes the last mark, if there is none and nothing is left here.
     *
     * @param hasOthers whether there is something else in the container: instances, or tuples that wait
     */
    void finish(boolean hasOthers) {
        boolean isLast = !hasOthers && leaving.isEmpty() && owed.isEmpty() && claimed.isEmpty();
        lastMark = isLast ? lastMark.or(() -> Optional.of(new Wait(++mark, Set.of()))) : Optional.empty();
    }

    /**
     * Logs once in a while which of the other containers have not seen the last mark.
     *
     * @param containers those, with their names for the log
     * @param reports what each has reported last
     */
    void logLateMark(Map<NodeInfo, String> containers, Map<NodeInfo, InstanceStatus> reports) {
        if (lastMark.filter(wait -> wait.secs > 0 && wait.secs % LOGGED_SECS == 0).isPresent()) {
            List<String> missing = containers.entrySet().stream().filter(container -> !reports.containsKey(container.getKey())
                || !isFinished(List.of(reports.get(container.getKey())))).map(Map.Entry::getValue).sorted().toList();
            if (!missing.isEmpty()) {
                LOG.warn("Nothing is left in this container, and it ends when these know that: {}", missing);
            }
        }
    }

    /** The last mark does not count, and no rest does, since tuples have left after it. */
    void goOn() {
        lastMark = Optional.empty();
        loops.strayed();
    }

    /** The instance of these tasks {@linkplain RestingLoops#rests rests}, or no longer does. */
    void rests(Set<Integer> tasks, boolean doesRest) {
        loops.rests(tasks, doesRest);
    }

    /** Finds the loops that have ended: see {@link RestingLoops#settle}. */
    void settleLoops(InstancePlan plan, Collection<InstanceStatus> own, Collection<InstanceStatus> others, Predicate<Set<Integer>> waits) {
        loops.settle(plan, own, others, waits);
    }

    /** Whether all others have seen the last mark. */
    boolean isFinished(Collection<InstanceStatus> others) {
        return lastMark.filter(wait -> isSeen(wait.from, others)).isPresent();
    }

    private boolean isSeen(long from, Collection<InstanceStatus> others) {
        return others.stream().allMatch(status -> status.moves().seen().stream().anyMatch(seen -> seen - from >= 0 && mark - seen >= 0));
    }

    /** Counts the time; called every second. */
    void everySecond() {
        leaving.values().forEach(wait -> wait.secs++);
        owed.values().forEach(wait -> wait.secs++);
        claimed.values().forEach(wait -> wait.secs++);
        lastMark.ifPresent(wait -> wait.secs++);
    }

    /** What others get. */
    Moves report(Collection<InstanceStatus> others) {
        return new Moves(leaving(), claimed.keySet(), tasks(owed), mark, others.stream().map(status -> status.moves().mark())
            .collect(Collectors.toSet()), loops.numbers(), loops.agreed());
    }

    /** What own instances get. */
    Moves forInstances(Collection<InstanceStatus> others) {
        return Moves.of(leaving(), others, loops.ended());
    }
}
