package io.eyewall.client.stream.manager;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Counts the messages that were dropped since their targets could not be reached. For any thread. */
final class DroppedMessages {

    /** How many targets a line of the log names. */
    private static final int NAMED = 10;

    private final Map<String, Long> byTarget = new ConcurrentHashMap<>();

    /** Counts messages for a task or a container. */
    void add(int messages, String target) {
        if (messages > 0) {
            byTarget.merge(target, (long) messages, Long::sum);
        }
    }

    /** How many messages were dropped since the last call, by their targets. */
    Map<String, Long> take() {
        Map<String, Long> taken = new TreeMap<>();
        for (String target : List.copyOf(byTarget.keySet())) {
            Long messages = byTarget.remove(target);
            if (messages != null) {
                taken.put(target, messages);
            }
        }
        return taken;
    }

    /** How many messages these are. */
    static long sum(Map<String, Long> taken) {
        return taken.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What the log says of them: how many, for whom, why, and what to do. */
    static String text(Map<String, Long> taken) {
        String targets = taken.entrySet().stream().limit(NAMED).map(its -> its.getKey() + " (" + its.getValue() + ")")
            .collect(Collectors.joining(", "));
        String others = taken.size() > NAMED ? " and " + (taken.size() - NAMED) + " others" : "";
        return "Dropped " + sum(taken) + " messages for instances that cannot be reached: " + targets + others + ". Their processes have"
            + " ended, or they are no longer in the assignment. Their logs, and those of their containers, say why. With acks, spouts emit"
            + " the tuples again.";
    }
}
