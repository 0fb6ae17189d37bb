package io.eyewall.integration.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What became of the numbers of the topology {@code flood}, by what its tasks have written so far: how often each was emitted and how often
 * it came to each bolt. Not thread safe.
 */
final class FloodAccount {

    /** The bolts, each with the spout whose numbers come to it. */
    static final Map<String, String> SPOUTS = new TreeMap<>(
        Map.of("slow", "numbers", "pooled", "units", "relay", "keys", "keyed", "keys"));

    /** Whose inputs are fields groupings. */
    private static final List<String> ORDERED = List.of("relay", "keyed");
    private static final int EXAMPLES = 5;

    private final NewLines lines;
    /** By the spout's name and task: how often each number was emitted, and how often it was acked. */
    private final Map<String, Tally> emitted = new TreeMap<>();
    private final Map<String, Tally> acked = new TreeMap<>();
    /** By bolt and, behind that, spout and its task: how often each number came. */
    private final Map<String, Map<String, Tally>> came = new TreeMap<>();
    /** By the bolt's name and task, the port at which it is open. */
    private final Map<String, Integer> open = new TreeMap<>();
    /** Bolts that were opened while they were open already. */
    private final List<String> openedTwice = new ArrayList<>();
    /** From which number on, of each task of a spout, tuples are to be in order. */
    private Map<String, Integer> inOrderFrom = Map.of();
    /** The last number by bolt task, spout task and sending task. */
    private final Map<String, Integer> last = new HashMap<>();
    private final List<String> disordered = new ArrayList<>();
    /** How many numbers that were to be in order have come, and how many of the others came after a larger one. */
    private long ordered;
    private long overtaken;

    FloodAccount(Path output) {
        lines = new NewLines(output);
        SPOUTS.keySet().forEach(bolt -> came.put(bolt, new TreeMap<>()));
    }

    /** Reads on. */
    void update() {
        lines.forEach((file, line) -> {
            String component = file.substring(0, file.lastIndexOf('-'));
            if (SPOUTS.containsKey(component)) {
                ofBolt(component, file, line);
            } else {
                ofSpout(file, line);
            }
        });
    }

    /** How many numbers have been emitted that have not come to the bolt: they are in queues, or lost. */
    long missing(String bolt) {
        return emittedFor(bolt) - arrived(bolt);
    }

    /** How many tuples have come to the bolt. */
    long arrived(String bolt) {
        return came.get(bolt).values().stream().mapToLong(Tally::sum).sum();
    }

    /** The bolts' tasks that are open, each with the port of its worker. */
    Map<String, Integer> open() {
        return open;
    }

    /** By the spout's name and task, one more than the largest number that it has emitted. */
    Map<String, Integer> ends() {
        Map<String, Integer> ends = new TreeMap<>();
        emitted.forEach((spout, tally) -> ends.put(spout, tally.length()));
        return ends;
    }

    /** How many numbers below those ends have not been acked. */
    long unacked(Map<String, Integer> ends) {
        return ends.entrySet().stream().mapToLong(end -> {
            Tally acks = acked.getOrDefault(end.getKey(), new Tally());
            return IntStream.range(0, end.getValue()).filter(number -> acks.get(number) == 0).count();
        }).sum();
    }

    /** Has the numbers that are emitted from now on come in order; nothing may move any more. */
    void expectOrder() {
        inOrderFrom = ends();
    }

    /** How many numbers have come to bolts with fields groupings that were to be in order. */
    long ordered() {
        return ordered;
    }

    /** What is wrong without acks; empty if each number that was emitted has come once, and each task was open in one worker at a time. */
    List<String> defects() {
        List<String> defects = new ArrayList<>(openedTwice.stream().map(task -> task + " was open in two workers at a time").toList());
        forEachWay((way, out, in, acks) -> numbers(defects, "lost from " + way, out, number -> in.get(number) < out.get(number)));
        addDefectsOfAny(defects);
        return defects;
    }

    /** What is wrong with acks; empty if each number that was acked has come, and none has come more often than it was emitted. */
    List<String> defectsWithAcks() {
        List<String> defects = new ArrayList<>();
        forEachWay((way, out, in, acks) -> {
            numbers(defects, "acked that never came from " + way, acks, number -> acks.get(number) > 0 && in.get(number) == 0);
            numbers(defects, "acked twice from " + way, acks, number -> acks.get(number) > 1);
        });
        addDefectsOfAny(defects);
        return defects;
    }

    /** The counts of each way from a task of a spout to a bolt. */
    @Override
    public String toString() {
        List<String> counts = new ArrayList<>();
        forEachWay((way, out, in, acks) -> counts.add(String.format("%s %d of %d, %d never, %d again", way, in.sum(), out.sum(),
            out.count(number -> out.get(number) > 0 && in.get(number) == 0), in.count(number -> in.get(number) > 1))));
        return String.join("; ", counts)
            + String.format("; %d overtaken on the move, %d of %d afterwards", overtaken, disordered.size(), ordered);
    }

    private long emittedFor(String bolt) {
        return emitted.entrySet().stream().filter(spout -> spout.getKey().startsWith(SPOUTS.get(bolt)))
            .mapToLong(spout -> spout.getValue().sum()).sum();
    }

    private void ofSpout(String task, String line) {
        String[] words = line.split(" ", -1);
        int last = words.length - 1;
        if (words[0].equals("emit")) {
            IntStream.rangeClosed(Integer.parseInt(words[1]), Integer.parseInt(words[last]))
                .forEach(emitted.computeIfAbsent(task, none -> new Tally())::add);
        } else if (words[0].equals("ack")) {
            acked.computeIfAbsent(task, none -> new Tally()).add(Integer.parseInt(words[last]));
        }
    }

    private void ofBolt(String bolt, String task, String line) {
        if (line.startsWith("open ")) {
            if (open.put(task, Integer.valueOf(line.substring("open ".length()))) != null) {
                openedTwice.add(task);
            }
        } else if (line.equals("close")) {
            open.remove(task);
        } else {
            String[] words = line.split(" ", 3);
            int number = Integer.parseInt(words[0]);
            String spout = SPOUTS.get(bolt) + "-" + words[1];
            cameFrom(bolt, spout).add(number);
            if (ORDERED.contains(bolt)) {
                Integer before = last.put(task + " " + spout + " " + words[2], number);
                boolean overtakes = before != null && before > number;
                if (number < inOrderFrom.getOrDefault(spout, Integer.MAX_VALUE)) {
                    overtaken += overtakes ? 1 : 0;
                } else {
                    ordered++;
                    if (overtakes) {
                        disordered.add(number + " came after " + before + " from " + spout + " by " + words[2] + " to " + task);
                    }
                }
            }
        }
    }

    private void addDefectsOfAny(List<String> defects) {
        forEachWay((way, out, in, acks) ->
            numbers(defects, "that came more often than they were emitted from " + way, in, number -> in.get(number) > out.get(number)));
        if (!disordered.isEmpty()) {
            defects.add(disordered.size() + " numbers overtaken while nothing moved: "
                + disordered.subList(0, Math.min(EXAMPLES, disordered.size())));
        }
    }

    private Tally cameFrom(String bolt, String spout) {
        return came.get(bolt).computeIfAbsent(spout, none -> new Tally());
    }

    private void forEachWay(Way way) {
        SPOUTS.forEach((bolt, component) -> emitted.forEach((spout, out) -> {
            if (spout.startsWith(component)) {
                way.take(spout + " to " + bolt, out, cameFrom(bolt, spout), acked.getOrDefault(spout, new Tally()));
            }
        }));
    }

    private static void numbers(List<String> defects, String what, Tally tally, IntPredicate such) {
        long count = tally.count(such);
        if (count > 0) {
            defects.add(count + " numbers " + what + ": "
                + IntStream.range(0, tally.length()).filter(such).limit(EXAMPLES).boxed().toList());
        }
    }

    /** From a task of a spout to a bolt. */
    @FunctionalInterface
    private interface Way {

        void take(String name, Tally emitted, Tally came, Tally acked);
    }

    /** How often each number was seen. */
    private static final class Tally {
        private byte[] times = new byte[1024];
        private int length;
        private long sum;

        void add(int number) {
            if (number >= times.length) {
                times = Arrays.copyOf(times, Math.max(number + 1, 2 * times.length));
            }
            times[number]++;
            length = Math.max(length, number + 1);
            sum++;
        }

        int get(int number) {
            return number < length ? times[number] : 0;
        }

        /** One more than the largest number. */
        int length() {
            return length;
        }

        long sum() {
            return sum;
        }

        /** How many of the numbers are such. */
        long count(IntPredicate such) {
            return IntStream.range(0, length).filter(such).count();
        }
    }
}
