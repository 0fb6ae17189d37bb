package io.eyewall.client.hot;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * The announcement of a worker to the other workers of its topology.
 *
 * @param serves tasks that it runs and whose tuples it takes
 * @param holds tasks that it runs only until they have executed the tuples that it has taken
 * @param awaits tasks whose tuples it takes, and which it starts as soon as no other worker runs them
 * @param asks whether bolts of this worker wait for the checkpoint spout to rest; false if the topology has none
 * @param rests whether this worker has the checkpoint spout and the spout rests
 * @param departure the number of the worker's {@link Departure}; 0 while the worker has something to run
 */
record Announcement(Set<Integer> serves, Set<Integer> holds, Set<Integer> awaits, boolean asks, boolean rests, long departure) {

    private static final String PRODUCT = "eyewall ";
    private static final String HEADER = PRODUCT + "2";
    /** The first format, without a departure. Later formats add lines. */
    private static final String FIRST_HEADER = PRODUCT + "1";
    private static final int FIRST_LINES = 5;
    private static final String ASKS = "asks";
    private static final String RESTS = "rests";

    Announcement {
        serves = Set.copyOf(serves);
        holds = Set.copyOf(holds);
        awaits = Set.copyOf(awaits);
    }

    /** Whether the worker runs the task. */
    boolean runs(int task) {
        return serves.contains(task) || holds.contains(task);
    }

    /** Whether the worker takes the task's tuples. */
    boolean takes(int task) {
        return serves.contains(task) || awaits.contains(task);
    }

    byte[] encode() {
        String checkpoints = (asks ? ASKS : "") + (rests ? RESTS : "");
        return String.join("\n", HEADER, line(serves), line(holds), line(awaits), checkpoints,
            String.valueOf(departure)).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads an announcement; returns null if the data is none. From an announcement of an earlier or later version it reads the part that
     * this version knows: while a cluster is upgraded, workers of both versions announce, and no task may run in two of them.
     */
    static Announcement decode(byte[] data) {
        String[] lines = new String(data, StandardCharsets.US_ASCII).split("\n", -1);
        boolean hasDeparture = !lines[0].equals(FIRST_HEADER);
        if (!lines[0].startsWith(PRODUCT) || lines.length < (hasDeparture ? FIRST_LINES + 1 : FIRST_LINES)) {
            return null;
        }
        try {
            return new Announcement(tasks(lines[1]), tasks(lines[2]), tasks(lines[3]), lines[4].contains(ASKS),
                lines[4].contains(RESTS), hasDeparture ? Long.parseLong(lines[FIRST_LINES]) : 0);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Writes tasks as ranges, since tasks of a component often have consecutive ids: {@code 1-3 7}. */
    private static String line(Set<Integer> tasks) {
        StringJoiner ranges = new StringJoiner(" ");
        int first = 0;
        int last = 0;
        for (int task : new TreeSet<>(tasks)) {
            if (first != 0 && task == last + 1) {
                last = task;
                continue;
            }
            if (first != 0) {
                ranges.add(range(first, last));
            }
            first = task;
            last = task;
        }
        return first == 0 ? "" : ranges.add(range(first, last)).toString();
    }

    private static String range(int first, int last) {
        return first == last ? String.valueOf(first) : first + "-" + last;
    }

    private static Set<Integer> tasks(String line) {
        Set<Integer> tasks = new TreeSet<>();
        if (!line.isEmpty()) {
            for (String range : line.split(" ", -1)) {
                int dash = range.indexOf('-');
                int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                int last = Integer.parseInt(range.substring(dash + 1));
                for (int task = first; task <= last; task++) {
                    tasks.add(task);
                }
            }
        }
        return tasks;
    }
}
