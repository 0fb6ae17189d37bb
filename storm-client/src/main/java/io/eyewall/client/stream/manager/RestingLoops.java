package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.wire.InstanceStatus;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds the loops of bolts in which no tuple is left, while containers stop: their instances leave together then. Without threads or a
 * clock; used by one thread.
 *
 * <p>An instance of a loop rests when it has nothing to do and nothing is on its way between it and this stream manager: see {@link
 * Exchange}. It says so only when those that send into the loop have left. When all instances here of a loop rest, and no tuple for the
 * loop waits here, their rest gets a number. The rest of an instance is over as soon as a tuple comes to it or from it.
 *
 * <p>A number reaches other stream managers behind all tuples that were sent before it. A stream manager that knows a number for each task
 * of a loop reports that it agrees to these. The loop has ended when all stream managers agree to the same numbers, and those of their own
 * instances still hold. The reason is this. Were a tuple left, one of the tasks would be the first to get one after its number. Its sender
 * has sent nothing after its own number, since it would have got a tuple first. So the tuple came before the sender's number. It would have
 * ended the rest of the receiver before the receiver's stream manager could agree to that number.
 *
 * <p>The two waves, numbers and agreement, are those of F. Mattern, Algorithms for distributed termination detection, Distributed Computing
 * 2 (3), 1987. Since connections keep the order, numbers that come behind tuples take the place of counts of tuples.
 *
 * <p>A loop does not end here while one of its tasks does not rest anywhere: its container does not stop, it has died, or the loop is never
 * empty. Instances do not wait for ever.
 */
final class RestingLoops {

    /** The own tasks whose instances rest. */
    private final Set<Integer> quiet = new TreeSet<>();
    /** The numbers of own tasks that have one: they rest, or their loop has ended. */
    private final Map<Integer, Long> numbers = new TreeMap<>();
    private Set<Long> agreed = Set.of();
    /** The tasks of loops that have ended, and their numbers. That never changes again. */
    private final Set<Integer> ended = new HashSet<>();
    private final Set<Long> endedNumbers = new HashSet<>();
    private long lastNumber;

    /** Nothing rests; {@code firstNumber} is random, so that no two stream managers have the same numbers. */
    RestingLoops(long firstNumber) {
        lastNumber = firstNumber;
    }

    /** The instance of these tasks rests, or no longer does. */
    void rests(Set<Integer> tasks, boolean doesRest) {
        if (doesRest) {
            quiet.addAll(tasks);
        } else if (quiet.removeAll(tasks)) {
            endRest(tasks);
        }
    }

    /** A tuple has come by that is not for an instance here. */
    void strayed() {
        endRest(Set.copyOf(numbers.keySet()));
    }

    private void endRest(Set<Integer> tasks) {
        numbers.keySet().removeIf(task -> tasks.contains(task) && !ended.contains(task));
    }

    /**
     * Finds out what follows from everything that is known.
     *
     * @param own what the instances of this container report, with their tasks
     * @param others what the other stream managers report
     * @param waits whether tuples for some of these tasks wait here, since they are connected nowhere
     */
    void settle(InstancePlan plan, Collection<InstanceStatus> own, Collection<InstanceStatus> others, Predicate<Set<Integer>> waits) {
        Set<Integer> open = new TreeSet<>(quiet);
        open.removeAll(ended);
        Set<Long> all = new HashSet<>(endedNumbers);
        while (!open.isEmpty()) {
            int task = open.iterator().next();
            Set<Integer> loop = new HashSet<>(plan.loop(task));
            loop.add(task);
            open.removeAll(loop);
            boolean mayRest = !waits.test(loop) && others.stream().noneMatch(status -> owes(status, loop));
            if (haveNumbers(loop, mayRest, own)) {
                all.addAll(agree(loop, others));
            }
        }
        agreed = all;
    }

    /** Whether tuples may be on their way that a task of a loop sent from another container before it moved. */
    private static boolean owes(InstanceStatus by, Set<Integer> loop) {
        return by.moves().owed().stream().anyMatch(task -> loop.contains(task) && !by.moves().resting().containsKey(task));
    }

    /** Gives a number to the instances of a loop that are here, if all of them rest and have none; returns whether they have one. */
    private boolean haveNumbers(Set<Integer> loop, boolean mayRest, Collection<InstanceStatus> own) {
        Set<Integer> here = new HashSet<>();
        own.forEach(status -> here.addAll(status.tasks()));
        here.retainAll(loop);
        if (!mayRest || !quiet.containsAll(here)) {
            endRest(loop);
            return false;
        }
        if (!numbers.keySet().containsAll(here)) {
            lastNumber++;
            here.forEach(task -> numbers.put(task, lastNumber));
        }
        return true;
    }

    /** The numbers of a loop's tasks if all have one, else none. If everybody agrees to these, the loop has ended. */
    private Set<Long> agree(Set<Integer> loop, Collection<InstanceStatus> others) {
        Map<Integer, Long> known = new HashMap<>();
        others.forEach(status -> known.putAll(status.moves().resting()));
        known.putAll(numbers);
        known.keySet().retainAll(loop);
        if (!known.keySet().containsAll(loop)) {
            return Set.of();
        }
        Set<Long> all = new HashSet<>(known.values());
        if (others.stream().allMatch(status -> Collections.disjoint(status.moves().resting().keySet(), loop)
                || status.moves().agreed().containsAll(all))) {
            ended.addAll(loop);
            endedNumbers.addAll(all);
        }
        return all;
    }

    /** The tasks of loops that have ended. */
    Set<Integer> ended() {
        return ended;
    }

    /** The numbers of own tasks, for others. */
    Map<Integer, Long> numbers() {
        return numbers;
    }

    /** The numbers that this stream manager agrees to, for others. */
    Set<Long> agreed() {
        return agreed;
    }
}
