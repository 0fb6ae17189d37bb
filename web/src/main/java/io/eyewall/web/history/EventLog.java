package io.eyewall.web.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The last events of each topology that runs, in memory, for those who follow them. They have numbers, which begin at the time at which the
 * log was made, so that those of another UI before it were lower. Safe for any thread.
 */
public final class EventLog {

    private static final int MAX_KEPT = 100;

    // Used under this object's lock.
    private final Map<String, Deque<Numbered>> topologies = new HashMap<>();
    private long last;

    EventLog(long firstNumber) {
        last = firstNumber;
    }

    /**
     * An event with its number.
     *
     * @param timeSecs since 1970
     */
    public record Numbered(long number, long timeSecs, Event event) {
    }

    synchronized void add(String topology, long timeSecs, Event event) {
        Deque<Numbered> events = topologies.computeIfAbsent(topology, id -> new ArrayDeque<>());
        events.add(new Numbered(++last, timeSecs, event));
        if (events.size() > MAX_KEPT) {
            events.remove();
        }
    }

    synchronized void retain(Set<String> running) {
        topologies.keySet().retainAll(running);
    }

    /** Those of a topology with higher numbers, the oldest first. */
    public synchronized List<Numbered> after(String topology, long number) {
        return topologies.getOrDefault(topology, new ArrayDeque<>()).stream().filter(event -> event.number() > number).toList();
    }

    /** The number of the newest event of all. */
    public synchronized long last() {
        return last;
    }
}
