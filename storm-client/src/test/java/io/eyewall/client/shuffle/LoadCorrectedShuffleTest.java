package io.eyewall.client.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.storm.grouping.Load;
import org.apache.storm.grouping.LoadMapping;
import org.junit.jupiter.api.Test;

class LoadCorrectedShuffleTest {

    private static final Map<String, Object> CONF = Map.of();
    private static final List<Integer> TASKS = List.of(7, 8, 9);
    private static final List<Double> KEPT = List.of(0.5, 0.5, 0.0);
    private static final List<Double> EQUAL = LocalShares.equal(3);
    private static final int TUPLES = 1_200;
    private static final int ROUNDING = 40;
    private static final int ENOUGH = 12;
    private static final int PATIENCE = 30;

    private final LoadMapping loads = new LoadMapping();

    @Test
    void shouldGiveEachTaskATurnInEachPieceWhenSharesAreEqual() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, EQUAL, CONF);
        for (int piece = 0; piece < TUPLES; piece++) {
            Set<Integer> chosen = new TreeSet<>();
            TASKS.forEach(task -> chosen.add(next(shuffle)));
            assertEquals(Set.copyOf(TASKS), chosen);
        }
    }

    @Test
    void shouldReachAllTasksWithTuplesThatComeInAPattern() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, EQUAL, CONF);
        Map<Integer, Integer> bodies = new TreeMap<>();
        for (int message = 0; message < TUPLES; message++) {
            next(shuffle);
            next(shuffle);
            bodies.merge(next(shuffle), 1, Integer::sum);
        }
        TASKS.forEach(task -> assertTrue(bodies.getOrDefault(task, 0) > TUPLES / 6, () -> "each third tuple went to " + bodies));
    }

    @Test
    void shouldChooseByShares() {
        assertCounts(Map.of(7, 600, 8, 600), new LoadCorrectedShuffle(TASKS, KEPT, CONF));
        assertCounts(Map.of(7, 900, 9, 300), new LoadCorrectedShuffle(TASKS, List.of(0.75, 0.0, 0.25), CONF));
    }

    @Test
    void shouldTakeFromATaskWhoseQueueIsFullerThanTheEmptiestByATwentieth() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, EQUAL, CONF);
        set(0, 0.05, 0.06);
        refresh(shuffle, 1);
        assertCounts(Map.of(7, 400, 8, 400, 9, 400), shuffle);
        refresh(shuffle, 5);
        assertCounts(Map.of(7, 480, 8, 480, 9, 240), shuffle);
        refresh(shuffle, ENOUGH);
        assertCounts(Map.of(7, 600, 8, 600), shuffle);

        set(0, 0, 0);
        refresh(shuffle, 50);
        assertCounts(Map.of(7, 480, 8, 480, 9, 240), shuffle);
    }

    @Test
    void shouldLetItsPartGoToOthersThatHaveSharesOnly() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, KEPT, CONF);
        set(0, 0.5, 0);
        refresh(shuffle, ENOUGH);
        assertCounts(Map.of(7, 1_200), shuffle);
    }

    @Test
    void shouldSendNothingToATaskWhoseLoadStaysUnknownAndTheFullShareWhenItIsKnown() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, EQUAL, CONF);
        loads.setLocal(Map.of(7, 0.0, 8, 0.0));
        refresh(shuffle, PATIENCE);
        assertCounts(Map.of(7, 400, 8, 400, 9, 400), shuffle);
        refresh(shuffle, ENOUGH);
        assertCounts(Map.of(7, 600, 8, 600), shuffle);

        loads.setRemote(Map.of(9, new Load(true, 0.01, 0)));
        refresh(shuffle, 1);
        assertCounts(Map.of(7, 400, 8, 400, 9, 400), shuffle);
    }

    @Test
    void shouldKeepSharesWhenAllLoadsAreUnknown() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, KEPT, CONF);
        refresh(shuffle, PATIENCE + ENOUGH);
        assertCounts(Map.of(7, 600, 8, 600), shuffle);
    }

    @Test
    void shouldGiveAllTheSameWhileThoseWithSharesAreFuller() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, KEPT, CONF);
        set(0.8, 0.8, 0.8);
        refresh(shuffle, 1);
        assertCounts(Map.of(7, 600, 8, 600), shuffle);
        assertEqualBetween(shuffle, 0.81, 0.2, 0.19);
    }

    @Test
    void shouldTakeTheBoundsFromTheConfiguration() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, KEPT,
            Map.of("topology.localityaware.higher.bound", 0.1, "topology.localityaware.lower.bound", 0.05));
        assertEqualBetween(shuffle, 0.11, 0.06, 0.04);
    }

    @Test
    void shouldKeepWeightsAtTheBoundWhenAllHaveShares() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, EQUAL, CONF);
        set(0.7, 0.7, 0.9);
        refresh(shuffle, ENOUGH);
        assertCounts(Map.of(7, 600, 8, 600), shuffle);
        set(0.8, 0.8, 0.9);
        refresh(shuffle, 1);
        assertCounts(Map.of(7, 600, 8, 600), shuffle);
    }

    @Test
    void shouldKeepWeightsWhenSharesChange() {
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, KEPT, CONF);
        set(0, 0.5, 0);
        refresh(shuffle, ENOUGH);
        assertCounts(Map.of(7, 1_200), shuffle);
        shuffle.setShares(EQUAL);
        assertCounts(Map.of(7, 600, 9, 600), shuffle);
        shuffle.setShares(List.of(0.0, 1.0, 0.0));
        assertCounts(Map.of(8, 1_200), shuffle);
    }

    @Property(tries = 300)
    void shouldAlwaysChooseATaskThatHasAShareOrAnyAtTheBound(
            @ForAll @Size(min = 1, max = 60) List<@Size(3) List<@IntRange(min = -1, max = 20) Integer>> refreshes,
            @ForAll @IntRange(min = 1, max = 7) int shares) {
        List<Double> given = List.of((double) (shares & 1), (double) (shares >> 1 & 1), (double) (shares >> 2));
        LoadCorrectedShuffle shuffle = new LoadCorrectedShuffle(TASKS, given, CONF);
        for (List<Integer> twentieths : refreshes) {
            Map<Integer, Double> known = new TreeMap<>();
            for (int task = 0; task < TASKS.size(); task++) {
                if (twentieths.get(task) >= 0) {
                    known.put(TASKS.get(task), twentieths.get(task) / 20.0);
                }
            }
            loads.setLocal(known);
            refresh(shuffle, 7);
            boolean full = known.values().stream().anyMatch(load -> load >= 0.2);
            for (int tuple = 0; tuple < 20; tuple++) {
                int chosen = next(shuffle);
                assertTrue(full || given.get(TASKS.indexOf(chosen)) > 0, () -> "chose " + chosen);
            }
        }
    }

    /** Tasks with {@link #KEPT} shares get the same above one bound, until they are below the other; the third need not be. */
    private void assertEqualBetween(LoadCorrectedShuffle shuffle, double above, double between, double below) {
        set(above, above, above - 0.01);
        refresh(shuffle, 1);
        assertCounts(Map.of(7, 400, 8, 400, 9, 400), shuffle);
        set(between, between, between);
        refresh(shuffle, 1);
        assertCounts(Map.of(7, 400, 8, 400, 9, 400), shuffle);
        set(below, below, below + 0.01);
        refresh(shuffle, 1);
        assertCounts(Map.of(7, 600, 8, 600), shuffle);
    }

    private void set(double first, double second, double third) {
        loads.setLocal(Map.of(7, first, 8, second, 9, third));
    }

    private void refresh(LoadCorrectedShuffle shuffle, int times) {
        for (int time = 0; time < times; time++) {
            shuffle.refreshLoad(loads);
        }
    }

    private static int next(LoadCorrectedShuffle shuffle) {
        return shuffle.chooseTasks(1, List.of()).get(0);
    }

    private static void assertCounts(Map<Integer, Integer> expected, LoadCorrectedShuffle shuffle) {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (int tuple = 0; tuple < TUPLES; tuple++) {
            counts.merge(next(shuffle), 1, Integer::sum);
        }
        assertEquals(expected.keySet(), counts.keySet());
        expected.forEach((task, count) -> assertTrue(Math.abs(counts.get(task) - count) <= ROUNDING,
            () -> task + " is to get about " + count + " in " + counts));
    }
}
