package io.eyewall.elasticity.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementDraftTest {

    private static final Slot A = new Slot("a", 6700);
    private static final Slot B = new Slot("b", 6700);
    private static final Slot NEW = new Slot("new", 6700);
    private static final Slot NEW_TOO = new Slot("new", 6701);

    @Test
    void shouldChangeNothingWhenNothingIsDecided() {
        PlacedTopology topology = placed(Map.of(executor(1, 4), A, executor(5, 8), B));

        assertEquals(topology.placement(), new PlacementDraft(topology).build());
    }

    @Test
    void shouldDivideTasksAsStormDoesWhenAnExecutorIsAdded() {
        PlacementDraft draft = new PlacementDraft(placed(Map.of(executor(1, 4), A, executor(5, 8), B)));
        draft.open(NEW);

        draft.add("c", "new");

        // 8 tasks for 3 executors are 3, 3 and 2, larger ranges first. [4-6] shares fewer tasks with the old ranges than the others.
        assertEquals(Map.of(executor(1, 3), A, executor(4, 6), B, executor(7, 8), NEW), draft.build());
    }

    @Test
    void shouldKeepTasksInTheirSlotWhenARangeMatches() {
        PlacementDraft draft = new PlacementDraft(placed(
            Map.of(executor(1, 2), A, executor(3, 4), B, executor(5, 6), A, executor(7, 8), B)));

        draft.drop(executor(3, 4));

        assertEquals(Map.of(executor(1, 3), A, executor(4, 6), A, executor(7, 8), B), draft.build());
    }

    @Test
    void shouldFillTheEmptiestSlotWhenAMachineHasSeveral() {
        PlacementDraft draft = new PlacementDraft(placed(Map.of(executor(1, 4), A, executor(5, 8), B)));
        draft.open(NEW);
        draft.open(NEW_TOO);

        draft.add("c", "new");
        draft.add("c", "new");
        draft.add("c", "new");

        assertEquals(List.of(2L, 1L), List.of(
            draft.build().values().stream().filter(NEW::equals).count(), draft.build().values().stream().filter(NEW_TOO::equals).count()));
    }

    @Test
    void shouldKeepTheExecutorWhenItIsMoved() {
        PlacementDraft draft = new PlacementDraft(placed(Map.of(executor(1, 4), A, executor(5, 8), B)));

        draft.move(executor(5, 8), "a");

        assertEquals(Map.of(executor(1, 4), A, executor(5, 8), A), draft.build());
    }

    @Test
    void shouldGiveAnExecutorAnotherRangeWhenNoneOfItsTasksIsLeft() {
        // [1-6] overlaps with several of the new ranges, of which only one can stay in slot A.
        PlacementDraft draft = new PlacementDraft(placed(Map.of(executor(1, 6), A, executor(7, 7), B, executor(8, 8), B)));
        draft.open(NEW);

        draft.add("c", "new");

        assertEquals(Map.of(executor(1, 2), A, executor(3, 4), B, executor(5, 6), NEW, executor(7, 8), B), draft.build());
    }

    @Test
    void shouldRefuseAMachineWithoutASlot() {
        PlacementDraft draft = new PlacementDraft(placed(Map.of(executor(1, 8), A)));

        assertThrows(IllegalStateException.class, () -> draft.add("c", "new"));
    }

    private static PlacedTopology placed(Map<ExecutorId, Slot> placement) {
        return PlacedTopology.of(new TopologyGraph("t", List.of(new Component("c", 1, 8)), List.of()), placement);
    }

    private static ExecutorId executor(int first, int last) {
        return new ExecutorId("t", first, last);
    }
}
