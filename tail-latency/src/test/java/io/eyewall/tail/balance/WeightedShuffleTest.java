package io.eyewall.tail.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.tail.auto.TechniqueSwitch;
import io.eyewall.tail.auto.TestSwitch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WeightedShuffleTest {

    private static final List<Integer> TASKS = List.of(4, 7, 9, 12);

    @Test
    void shouldTakeTurnsWhileNothingIsKnown() {
        WeightedShuffle grouping = new WeightedShuffle(TASKS, 0.5, 0);

        assertEquals(Map.of(4, 10, 7, 10, 9, 10, 12, 10), chosen(grouping, 40));
        assertEquals(0.25, grouping.share(9));
        assertEquals(0, grouping.share(5));
    }

    @Test
    void shouldBeginAnywhereInTheRoundAndGoOnBeyondTheLargestNumber() {
        assertEquals(List.of(9), new WeightedShuffle(TASKS, 0.5, 2).chooseTasks(1, List.of()));
        assertEquals(Map.of(4, 2, 7, 2, 9, 2, 12, 2), chosen(new WeightedShuffle(TASKS, 0.5, Integer.MAX_VALUE - 3), 8));
    }

    @Test
    void shouldSendLessToTheTaskThatKeepsTuplesLonger() {
        WeightedShuffle grouping = new WeightedShuffle(TASKS, 0.5, 0);

        for (int period = 0; period < 5; period++) {
            grouping.adjust(Map.of(4, 1e6, 7, 9e6, 9, 1e6, 12, 1e6));
        }

        Map<Integer, Integer> chosen = chosen(grouping, 400);
        assertEquals(80, chosen.get(7), "20 % of them: " + chosen);
        assertEquals(0.2, grouping.share(7));
        assertTrue(grouping.share(4) > 0.25);
    }

    @Test
    void shouldLeaveTheChoiceToAnotherOneWhileItIsOffAndBeginAnewWithEqualShares() {
        TechniqueSwitch control = TestSwitch.off();
        WeightedShuffle grouping = new WeightedShuffle(TASKS, 0.5, 0, control, new WeightedShuffle(List.of(99), 0.5, 0));
        Map<Integer, Double> latenciesNs = Map.of(4, 1e6, 7, 9e6, 9, 1e6, 12, 1e6);
        grouping.adjust(latenciesNs);
        assertEquals(Map.of(99, 40), chosen(grouping, 40));

        TestSwitch.switched(control);
        assertEquals(Map.of(4, 10, 7, 10, 9, 10, 12, 10), chosen(grouping, 40));
        grouping.adjust(latenciesNs);
        assertTrue(grouping.share(7) < 0.25);

        TestSwitch.switched(control);
        grouping.adjust(latenciesNs);
        assertEquals(Map.of(99, 40), chosen(grouping, 40));
        TestSwitch.switched(control);
        assertEquals(0.25, grouping.share(7));
    }

    private static Map<Integer, Integer> chosen(WeightedShuffle grouping, int tuples) {
        Map<Integer, Integer> chosen = new HashMap<>();
        for (int i = 0; i < tuples; i++) {
            grouping.chooseTasks(1, List.of()).forEach(task -> chosen.merge(task, 1, Integer::sum));
        }
        return chosen;
    }
}
