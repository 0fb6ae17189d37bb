package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a topology may rely on, whatever installation runs it: one test for each behaviour. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DropInContract {

    /** All behaviours, by the names of their topologies. Those that take long come first, so that nothing waits for them at the end. */
    static final Map<String, Behaviour> BEHAVIOURS = behaviours();

    /** The outcome of the behaviour, which is the same on all installations that are compared. */
    abstract Map<String, List<String>> outcome(String behaviour);

    @Test
    void shouldAckWhatIsProcessedAndFailWhatIsFailedOrForgotten() {
        Map<String, List<String>> outcome = outcome("acking");
        assertEquals(sorted(Stream.concat(numbers("ack ", 0, 100), Stream.concat(
            IntStream.range(0, 10).mapToObj(ten -> "fail " + (10 * ten + 3)), Stream.of("fail 7", "fail 32", "fail 57", "fail 82")))),
            together(outcome, "numbers"));
        assertEquals(sorted(numbers("acked ", 0, 100)), sorted(linesOf(outcome, "judge").filter(line -> line.startsWith("acked"))));
    }

    @Test
    void shouldSendTicksOnlyToTheComponentThatAsksForThem() {
        Map<String, List<String>> outcome = outcome("ticks");
        assertEquals(sorted(Stream.concat(numbers("", 0, 10), IntStream.rangeClosed(1, 3)
            .mapToObj(tick -> "tick " + tick + " from __system on __tick with [1]"))), together(outcome, "ticked"));
        assertEquals(sorted(numbers("", 0, 10)), together(outcome, "unticked"));
    }

    @Test
    void shouldSendEachTupleToTheTasksThatItsGroupingSays() {
        Map<String, List<String>> outcome = outcome("groupings");
        List<String> everything = sorted(IntStream.range(0, 400).mapToObj(number -> number + " key" + (number % 2 == 0 ? 0 : number % 20)));
        for (String once : List.of("custom", "direct", "fields", "global", "none", "partial", "shuffle")) {
            assertEquals(everything, together(outcome, once), once);
        }
        tasks(outcome, "all").forEach(task -> assertEquals(everything, outcome.get(task), task));
        assertEquals(4, tasks(outcome, "all").size());
        assertEquals(everything, outcome.get(tasks(outcome, "global").get(0)), "the task of least id");
        tasks(outcome, "custom").forEach(task -> assertEquals(1, remainders(outcome.get(task)).size(), task));
        tasks(outcome, "direct").forEach(task -> assertEquals(1, remainders(outcome.get(task)).size(), task));
        for (String key : keys(outcome.get("shuffle"))) {
            assertEquals(1, tasksWith(outcome, "fields", key), key);
            assertTrue(tasksWith(outcome, "partial", key) <= 2, key);
        }
        assertEquals(2, tasksWith(outcome, "partial", "key0"), "tasks that share the key which comes most often");
    }

    @Test
    void shouldKeepTuplesInTheirWorkerWhenTheGroupingIsLocalOrShuffle() {
        assertEquals(sorted(Stream.concat(numbers("", " from this worker", 0, 100), numbers("", " from this worker", 0, 100))),
            together(outcome("local"), "local"));
    }

    @Test
    void shouldGiveATopologyTheLibraryThatItBringsInItsOwnVersion() {
        assertEquals(List.of("HdrHistogram of stormjar.jar"), together(outcome("libraries"), "libraries"));
    }

    @Test
    void shouldCutWindowsByCountAndByTheTimeThatTuplesCarry() {
        Map<String, List<String>> outcome = outcome("windows");
        List<String> sliding = new ArrayList<>(List.of(blanks(0, 5) + " new 5 expired 0", blanks(0, 10) + " new 5 expired 0"));
        IntStream.range(1, 19).forEach(fives -> sliding.add(blanks(5 * fives, 5 * fives + 10) + " new 5 expired 5"));
        assertEquals(sorted(sliding.stream()), together(outcome, "sliding"));
        List<String> tumbling = new ArrayList<>(List.of("0 new 1 expired 0", blanks(1, 11) + " new 10 expired 1"));
        IntStream.range(1, 9).forEach(tens -> tumbling.add(blanks(10 * tens + 1, 10 * tens + 11) + " new 10 expired 10"));
        assertEquals(sorted(tumbling.stream()), together(outcome, "tumbling"));
    }

    @Test
    void shouldCountWordsWithTridentAndAnswerFromItsState() {
        Map<String, List<String>> outcome = outcome("trident");
        assertEquals(sorted(Stream.of("the 4", "eye 2", "of 2", "storm 1", "wall 1", "a 1", "storm 3", "has 1", "one 1", "eye 3", "and 1",
            "the 6", "wall 2", "is 1", "one 3", "wall 3", "eye 4")), together(outcome, "counts"));
        assertEquals(List.of("[[7]]"), outcome.get("sum"));
    }

    @Test
    void shouldRestoreTheStateOfABoltWhenItsWorkerWasKilled() {
        assertEquals(List.of(
            "starts with 0 numbers of sum 0", "starts with 50 numbers of sum 1225", "complete with 100 numbers of sum 4950"),
            outcome("state").get("sums"));
    }

    @Test
    void shouldLetABoltInPythonEmitAckAndFail() {
        Map<String, List<String>> outcome = outcome("python");
        assertEquals(sorted(IntStream.range(0, 50).mapToObj(number -> number + " twice " + 2 * number)), together(outcome, "record"));
        assertEquals(sorted(Stream.concat(numbers("ack ", 0, 50), Stream.of("fail 13"))), together(outcome, "numbers"));
    }

    @Test
    void shouldAnswerDrpcCalls() {
        assertEquals(Map.of("answers", List.of("storm!", "eye!")), outcome("drpc"));
    }

    @Test
    void shouldRunATopologyThatFluxHasBuiltFromYaml() {
        Map<String, List<String>> outcome = outcome("flux");
        assertEquals(sorted(numbers("flux-", 0, 20)), together(outcome, "prefixed"));
        assertEquals(2, tasks(outcome, "prefixed").size());
    }

    @Test
    void shouldLogTheEventsOfTheComponentThatIsWatched() {
        List<String> sources = outcome("events").get("sources");
        assertEquals(1, sources.size(), sources::toString);
        assertTrue(sources.get(0).matches("numbers \\d+ \\[number]"), sources::toString);
    }

    @Test
    void shouldReportToTaskHooksWhatHappens() {
        Map<String, List<String>> outcome = outcome("hooks");
        List<String> own = outcome.get("own-hook-hooked");
        assertEquals(sorted(Stream.of(
            numbers("execute [", "]", 0, 20), numbers("ack [", "]", 0, 20), numbers("emit [", "] to []", 0, 20),
            Stream.of("execute [5]", "fail [5]")).flatMap(lines -> lines)), own);
        assertEquals(own, outcome.get("automatic-hook-hooked"));
        assertEquals(sorted(Stream.concat(numbers("spout ack ", 0, 20), Stream.of("spout fail 5"))),
            outcome.get("automatic-hook-numbers").stream().filter(line -> line.startsWith("spout")).toList());
    }

    @Test
    void shouldReportMetrics() {
        Map<String, List<String>> outcome = outcome("metrics");
        assertEquals(List.of("200"), outcome.get("received"));
        assertEquals(List.of("199"), outcome.get("last"));
        assertEquals(List.of("200", "199"), outcome.get("sizes: count, max"));
        assertTrue(outcome.get("names").stream().anyMatch(name -> name.contains("__ack-count")), () -> outcome.get("names").toString());
    }

    @Test
    void shouldDeactivateActivatePushCredentialsAndRebalance() {
        Map<String, List<String>> outcome = outcome("lifecycle");
        assertEquals(List.of("activate", "deactivate", "activate"), outcome.get(tasks(outcome, "calls-numbers").get(0)));
        List<String> bolts = tasks(outcome, "calls-record");
        assertEquals(4, bolts.size());
        bolts.forEach(task -> assertEquals(List.of("credentials {}", "credentials {colour=blue}"), outcome.get(task)));
        assertEquals(List.of("3"), outcome.get("executors"));
        assertEquals(List.of("credentials {}", "credentials {colour=blue}"), outcome.get("credentials afterwards"));
    }

    @Test
    void shouldLoseNothingOfAReplayableSourceWhenWorkersAreKilled() {
        Map<String, List<String>> outcome = outcome("replay");
        assertEquals(List.of(), outcome.get("workers that were there before"));
        assertEquals(sorted(numbers("", 0, 3000)), outcome.get("first"));
        assertEquals(sorted(numbers("", 0, 3000)), outcome.get("second"));
        assertEquals(sorted(numbers("ack ", 0, 3000)), outcome.get("numbers"));
    }

    @Test
    void shouldCarryMessagesOfAnySizeBetweenWorkers() {
        Map<String, List<String>> outcome = outcome("sizes");
        List<Integer> sizesBytes = List.of(1, 100, 1_024, 65_536, 1_048_576, 8_388_608);
        List<String> all = IntStream.range(0, 18).mapToObj(number -> number + ": " + sizesBytes.get(number % 6) + " bytes intact").toList();
        assertEquals(sorted(numbers("ack ", 0, 18)), together(outcome, "numbers"));
        assertEquals(2, tasks(outcome, "there").size());
        tasks(outcome, "there").forEach(task -> assertEquals(sorted(all.stream()), outcome.get(task), task));
        assertEquals(2, tasks(outcome, "back").size());
        tasks(outcome, "back").forEach(task -> assertEquals(sorted(Stream.concat(all.stream(), all.stream())), outcome.get(task), task));
    }

    private static Map<String, Behaviour> behaviours() {
        Map<String, Behaviour> all = new LinkedHashMap<>();
        all.put("replay", OperatedBehaviours::replay);
        all.put("lifecycle", OperatedBehaviours::lifecycle);
        all.put("acking", TopologyBehaviours::acking);
        all.put("state", OperatedBehaviours::state);
        all.put("drpc", TopologyBehaviours::drpc);
        all.put("events", OperatedBehaviours::events);
        all.put("flux", TopologyBehaviours::flux);
        all.put("groupings", TopologyBehaviours::groupings);
        all.put("hooks", TopologyBehaviours::hooks);
        all.put("libraries", TopologyBehaviours::libraries);
        all.put("local", TopologyBehaviours::local);
        all.put("metrics", OperatedBehaviours::metrics);
        all.put("python", TopologyBehaviours::python);
        all.put("sizes", TopologyBehaviours::sizes);
        all.put("ticks", TopologyBehaviours::ticks);
        all.put("trident", TopologyBehaviours::trident);
        all.put("windows", TopologyBehaviours::windows);
        return all;
    }

    private static Stream<String> numbers(String before, int from, int to) {
        return numbers(before, "", from, to);
    }

    private static Stream<String> numbers(String before, String after, int from, int to) {
        return IntStream.range(from, to).mapToObj(number -> before + number + after);
    }

    private static String blanks(int from, int to) {
        return numbers("", from, to).collect(Collectors.joining(" "));
    }

    private static List<String> sorted(Stream<String> lines) {
        return lines.sorted().toList();
    }

    /** The parts of the outcome that are tasks of the component, or the one that is all of it, in the order of their names. */
    private static List<String> tasks(Map<String, List<String>> outcome, String component) {
        return outcome.keySet().stream().filter(name -> name.equals(component) || name.matches(component + "-\\d+")).sorted().toList();
    }

    private static Stream<String> linesOf(Map<String, List<String>> outcome, String component) {
        return tasks(outcome, component).stream().flatMap(task -> outcome.get(task).stream());
    }

    private static List<String> together(Map<String, List<String>> outcome, String component) {
        return sorted(linesOf(outcome, component));
    }

    private static Set<Integer> remainders(List<String> lines) {
        return lines.stream().map(line -> Integer.parseInt(line.substring(0, line.indexOf(' '))) % 4).collect(Collectors.toSet());
    }

    private static Set<String> keys(List<String> lines) {
        return lines.stream().map(line -> line.substring(line.indexOf(' ') + 1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static long tasksWith(Map<String, List<String>> outcome, String component, String key) {
        return tasks(outcome, component).stream().filter(task -> keys(outcome.get(task)).contains(key)).count();
    }
}
