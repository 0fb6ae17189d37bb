package io.eyewall.core.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.generated.WorkerResources;
import org.junit.jupiter.api.Test;

class SlotChangeTest {

    private static final LocalAssignment RUNS = assignment("words-1", 128, 1, 2);

    @Test
    void shouldGoOnWhenNothingHasChanged() {
        SlotChange change = new SlotChange(RUNS, assignment("words-1", 128, 1, 2), false, false, 0, true);
        assertTrue(change.isNone());
        assertEquals(Optional.empty(), change.restartReason());
    }

    @Test
    void shouldGoOnWhenTheWorkerCanChangeItsExecutors() {
        assertEquals(Optional.empty(), new SlotChange(RUNS, assignment("words-1", 128, 1, 3), true, false, 0, true).restartReason());
        assertEquals(Optional.empty(), new SlotChange(RUNS, assignment("words-1", 256, 1, 3), true, false, 0, false).restartReason());
    }

    @Test
    void shouldSayWhyItEndsWhenItCannotGoOn() {
        assertEquals("the worker cannot change its executors while it runs", reason(assignment("words-1", 128, 1, 3), false, false));
        assertEquals("its resources have changed, and are enforced", reason(assignment("words-1", 256, 1, 3), true, true));
        assertEquals("the slot is another topology's from now on", reason(assignment("words-2", 128, 1, 2), true, false));
    }

    @Test
    void shouldGoOnForAWhileWhenItsExecutorsGoToOthers() {
        assertEquals(Optional.empty(), new SlotChange(RUNS, null, true, false, 1_000, false).restartReason());
        assertEquals(Optional.empty(), new SlotChange(RUNS, null, true, true, 40_000, false).restartReason());
        Optional<String> free = Optional.of("the slot is free from now on");
        assertEquals(free, new SlotChange(RUNS, null, false, false, 0, false).restartReason());
        assertEquals(free, new SlotChange(RUNS, null, true, false, 5_000, false).restartReason());
        assertEquals(free, new SlotChange(RUNS, null, true, true, 45_000, false).restartReason());
    }

    private static String reason(LocalAssignment next, boolean movable, boolean enforced) {
        return new SlotChange(RUNS, next, movable, false, 0, enforced).restartReason().orElseThrow();
    }

    private static LocalAssignment assignment(String topologyId, double onHeapMb, int firstExecutor, int secondExecutor) {
        LocalAssignment assignment = new LocalAssignment(topologyId,
            List.of(new ExecutorInfo(firstExecutor, firstExecutor), new ExecutorInfo(secondExecutor, secondExecutor)));
        WorkerResources resources = new WorkerResources();
        resources.set_mem_on_heap(onHeapMb);
        assignment.set_resources(resources);
        return assignment;
    }
}
