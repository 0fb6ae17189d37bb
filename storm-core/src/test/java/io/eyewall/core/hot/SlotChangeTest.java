package io.eyewall.core.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.MovableMark;
import java.util.List;
import java.util.Optional;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.generated.WorkerResources;
import org.junit.jupiter.api.Test;

class SlotChangeTest {

    private static final LocalAssignment RUNS = assignment("words-1", 128, 1, 2);

    private static final long SESSION_MS = 20_000;

    @Test
    void shouldGoOnWhenNothingHasChanged() {
        SlotChange change = change(assignment("words-1", 128, 1, 2), Optional.empty(), true);
        assertTrue(change.isNone());
        assertEquals(Optional.empty(), change.restartReason());
    }

    @Test
    void shouldGoOnWhenTheWorkerCanChangeItsExecutors() {
        assertEquals(Optional.empty(), change(assignment("words-1", 128, 1, 3), mark("1-1\n2-2", 1_000), true).restartReason());
        assertEquals(Optional.empty(), change(assignment("words-1", 256, 1, 3), mark("1-1\n2-2", 1_000), false).restartReason());
    }

    @Test
    void shouldSayWhyItEndsWhenItCannotGoOn() {
        assertEquals("the worker cannot change its executors while it runs", reason(assignment("words-1", 128, 1, 3), Optional.empty()));
        assertEquals("its resources have changed, and are enforced", reason(assignment("words-1", 256, 1, 3), mark("1-1\n2-2", 0)));
        assertEquals("another topology has the slot now", reason(assignment("words-2", 128, 1, 2), mark("1-1\n2-2", 0)));
        assertEquals("the slot is free now", reason(null, Optional.empty()));
    }

    @Test
    void shouldGoOnForAsLongAsItHandsOverWhatItHas() {
        assertEquals(Optional.empty(), change(null, mark("1-1\n2-2", 5_000), false).restartReason());
        assertEquals(Optional.empty(), change(null, mark("", 5_000), false).restartReason());
    }

    @Test
    void shouldEndWhenItsExecutorsHaveChangedAndItHasNotReachedZooKeeperForASession() {
        String reason = "its executors have changed, and it has not read from ZooKeeper for 20001 ms";
        assertEquals(reason, reason(assignment("words-1", 128, 1, 3), mark("1-1\n2-2", SESSION_MS + 1)));
        assertEquals(reason, reason(null, mark("1-1\n2-2", SESSION_MS + 1)));
        assertEquals(reason, new SlotChange(assignment("words-1", 128, 1, 3), assignment("words-1", 128, 1, 3),
            mark("1-1\n2-2", SESSION_MS + 1), SESSION_MS, false).restartReason().orElseThrow());
    }

    @Test
    void shouldGoOnWithoutZooKeeperWhileItRunsWhatItIsAssigned() {
        assertEquals(Optional.empty(), change(assignment("words-1", 128, 1, 2), mark("1-1\n2-2", 1_000_000), false).restartReason());
        assertEquals(Optional.empty(), change(assignment("words-1", 128, 1, 3), mark("1-1\n3-3", 1_000_000), false).restartReason());
    }

    @Test
    void shouldEndWhenItsExecutorsWereAssignedToOthersMeanwhileAndItHasNotReachedZooKeeperForASession() {
        assertEquals("its executors have changed, and it has not read from ZooKeeper for 20001 ms",
            reason(RUNS, Optional.of(new MovableMark.Reading("1-1\n2-2", SESSION_MS + 1, true))));
        assertEquals(Optional.empty(),
            change(RUNS, Optional.of(new MovableMark.Reading("1-1\n2-2", SESSION_MS, true)), false).restartReason());
    }

    private static SlotChange change(LocalAssignment next, Optional<MovableMark.Reading> mark, boolean enforced) {
        return new SlotChange(RUNS, next, mark, SESSION_MS, enforced);
    }

    private static Optional<MovableMark.Reading> mark(String executors, long ageMs) {
        return Optional.of(new MovableMark.Reading(executors, ageMs, false));
    }

    private static String reason(LocalAssignment next, Optional<MovableMark.Reading> mark) {
        return change(next, mark, true).restartReason().orElseThrow();
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
