package io.eyewall.core.pressure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who holds whom back at one time. A component is full if the queue of one of its executors holds senders back. It is a culprit if it is
 * full and no other full component that it waits for, directly or through full components, could be the reason; of full components that
 * wait for each other in a circle all are. A component is held by a culprit if a chain of full components leads from one that it waits for
 * up to the culprit. Pure and immutable.
 *
 * @param culprits those that hold others back, the longest first
 * @param components every component with a queue, by its id
 */
public record BackPressure(List<Culprit> culprits, SortedMap<String, Component> components) {

    /**
     * Where back-pressure begins.
     *
     * @param component its id
     * @param holds the ids of the components that cannot send as they would, because of it
     * @param fullMs for how long the first of its executors has been full
     * @param executors those that are full, the longest first
     */
    public record Culprit(String component, SortedSet<String> holds, long fullMs, List<ExecutorQueue> executors) {
    }

    /**
     * A component.
     *
     * @param state what it does
     * @param executors how many there are
     * @param full how many of them hold senders back
     * @param load the highest part of a queue that is occupied, from 0 to 1
     */
    public record Component(State state, int executors, int full, double load) {
    }

    /** What a component does. */
    public enum State {
        /** It neither holds others nor is held. */
        FREE,
        /** It cannot send as it would. */
        HELD,
        /** It holds others, and nobody holds it. */
        CULPRIT
    }

    /**
     * Judges the queues of a topology.
     *
     * @param waitsFor for each component those whose full queues make it wait
     */
    public static BackPressure of(List<ExecutorQueue> queues, Map<String, Set<String>> waitsFor) {
        SortedMap<String, List<ExecutorQueue>> byComponent = new TreeMap<>();
        waitsFor.keySet().forEach(id -> byComponent.put(id, new ArrayList<>()));
        queues.forEach(queue -> byComponent.computeIfAbsent(queue.component(), id -> new ArrayList<>()).add(queue));
        Set<String> full = new TreeSet<>();
        queues.stream().filter(ExecutorQueue::isFull).forEach(queue -> full.add(queue.component()));
        Map<String, Set<String>> behind = new HashMap<>();
        byComponent.keySet().forEach(id -> behind.put(id, fullBehind(id, full, waitsFor)));
        List<Culprit> culprits = new ArrayList<>();
        for (String id : full) {
            if (behind.get(id).stream().allMatch(other -> behind.get(other).contains(id))) {
                SortedSet<String> holds = new TreeSet<>();
                behind.forEach((sender, reached) -> {
                    if (reached.contains(id) && !sender.equals(id)) {
                        holds.add(sender);
                    }
                });
                List<ExecutorQueue> executors = byComponent.get(id).stream().filter(ExecutorQueue::isFull)
                    .sorted(Comparator.comparingLong(ExecutorQueue::fullMs).reversed().thenComparingInt(ExecutorQueue::firstTask)).toList();
                culprits.add(new Culprit(id, holds, executors.get(0).fullMs(), executors));
            }
        }
        culprits.sort(Comparator.comparingLong(Culprit::fullMs).reversed());
        Set<String> guilty = new TreeSet<>(culprits.stream().map(Culprit::component).toList());
        SortedMap<String, Component> components = new TreeMap<>();
        byComponent.forEach((id, its) -> {
            State state = guilty.contains(id) ? State.CULPRIT : behind.get(id).isEmpty() ? State.FREE : State.HELD;
            components.put(id, new Component(state, its.size(), (int) its.stream().filter(ExecutorQueue::isFull).count(),
                its.stream().mapToDouble(ExecutorQueue::load).max().orElse(0)));
        });
        return new BackPressure(List.copyOf(culprits), components);
    }

    /** The full components that a component waits for, directly or through full ones. */
    private static Set<String> fullBehind(String id, Set<String> full, Map<String, Set<String>> waitsFor) {
        Set<String> found = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(List.of(id));
        while (!next.isEmpty()) {
            for (String other : waitsFor.getOrDefault(next.remove(), Set.of())) {
                if (full.contains(other) && found.add(other)) {
                    next.add(other);
                }
            }
        }
        return found;
    }
}
