package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What became of each message of the topology {@code rolling}, by what its spout and its last bolt have written.
 *
 * @param spout what the spout's instances have written, one after the other
 * @param emitted how often each number was emitted
 * @param acked how often each number was acked
 * @param recorded how often each number has come to the last bolt
 */
record MessageAccount(SpoutAccount spout, Map<Integer, Long> emitted, Map<Integer, Long> acked, Map<Integer, Long> recorded) {

    /** {@code bolt} must have been read after {@code spout}. */
    static MessageAccount of(List<String> spout, List<String> bolt) {
        return new MessageAccount(new SpoutAccount(spout), numbers(spout, "emit "), numbers(spout, "ack "), numbers(bolt, ""));
    }

    /** Whether every number that was emitted is acked, and none is under way. */
    boolean isSettled() {
        return spout.isSettled() && acked.keySet().equals(emitted.keySet());
    }

    /**
     * Throws {@link AssertionError} unless every number from 0 to the last was emitted, acked once, and came to the last bolt, at most as
     * often as it was emitted.
     */
    void assertNothingLost() {
        assertEquals(IntStream.range(0, emitted.size()).boxed().collect(Collectors.toSet()), emitted.keySet(), "emitted");
        assertEquals(emitted.keySet(), acked.keySet(), "acked");
        assertEquals(Map.of(), where(acked, (number, times) -> times != 1), "acked not once");
        assertEquals(Map.of(), where(acked, (number, times) -> !recorded.containsKey(number)), "acked, and never came");
        assertEquals(Map.of(), where(recorded, (number, times) -> times > emitted.getOrDefault(number, 0L)), "came too often");
    }

    @Override
    public String toString() {
        return spout + "; " + emitted.size() + " numbers, of which " + where(recorded, (number, times) -> times > 1).size()
            + " came more than once";
    }

    private static Map<Integer, Long> numbers(List<String> lines, String start) {
        return lines.stream().filter(line -> line.startsWith(start)).map(line -> line.substring(start.length()).split(" ", 2)[0])
            .collect(Collectors.groupingBy(Integer::valueOf, TreeMap::new, Collectors.counting()));
    }

    private static Map<Integer, Long> where(Map<Integer, Long> counts, BiPredicate<Integer, Long> condition) {
        Map<Integer, Long> found = new TreeMap<>(counts);
        found.entrySet().removeIf(entry -> !condition.test(entry.getKey(), entry.getValue()));
        return found;
    }
}
