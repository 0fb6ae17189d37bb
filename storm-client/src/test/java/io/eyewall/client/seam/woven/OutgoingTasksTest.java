package io.eyewall.client.seam.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a grouping chooses becomes a list of the caller's own, in order, as {@code ArrayList.addAll} would make it. */
class OutgoingTasksTest {

    private final List<Object> tasks = new ArrayList<>(WovenCalls.outgoingTasks());

    @Test
    void shouldAddWhatEachGroupingChooses() {
        assertTrue(WovenCalls.addTasks(tasks, Arrays.asList(7)));
        assertTrue(WovenCalls.addTasks(tasks, List.of(3, 1, 2)));
        assertTrue(WovenCalls.addTasks(tasks, Set.of(9)));

        assertEquals(List.of(7, 3, 1, 2, 9), tasks);
    }

    @Test
    void shouldAddNothingWhereAGroupingChoosesNobody() {
        assertFalse(WovenCalls.addTasks(tasks, List.of()));

        assertEquals(List.of(), tasks);
    }

    @Test
    void shouldLeaveTheGroupingsOwnListAlone() {
        List<Object> chosen = new ArrayList<>(List.of(7));

        WovenCalls.addTasks(tasks, chosen);
        tasks.add(8);

        assertEquals(List.of(7), chosen);
    }
}
