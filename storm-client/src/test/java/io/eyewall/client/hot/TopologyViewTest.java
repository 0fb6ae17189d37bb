package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Task 1 is to move from {@link #OLD} to {@link #NEW}; a third worker sends to it. */
class TopologyViewTest {

    private static final WorkerPlace OLD = new WorkerPlace("a", 1);
    private static final WorkerPlace NEW = new WorkerPlace("b", 1);
    private static final WorkerPlace SENDER = new WorkerPlace("c", 1);
    private static final Predicate<WorkerPlace> ALL = Set.of(OLD, NEW, SENDER)::contains;
    private static final List<Integer> TASK = List.of(1);

    private static final Announcement SERVES = new Announcement(Set.of(1), Set.of(), Set.of(), false, false, 0);
    private static final Announcement HOLDS = new Announcement(Set.of(), Set.of(1), Set.of(), false, false, 0);
    private static final Announcement AWAITS = new Announcement(Set.of(), Set.of(), Set.of(1), false, false, 0);
    private static final Announcement NOTHING = new Announcement(Set.of(), Set.of(), Set.of(), false, false, 0);

    @Test
    void shouldSendToTheOldWorkerWhenThisStillServesTheTask() {
        assertEquals(Map.of(1, OLD), homes(view(SENDER, Map.of(OLD, SERVES)), Map.of(1, OLD), ALL));
        assertEquals(Map.of(1, OLD), homes(view(SENDER, Map.of(OLD, SERVES, NEW, AWAITS)), Map.of(1, OLD), ALL));
    }

    @Test
    void shouldSendToTheNewWorkerWhenTheOldOneHasStoppedToServeTheTask() {
        assertEquals(Map.of(1, NEW), homes(view(SENDER, Map.of(OLD, HOLDS, NEW, AWAITS)), Map.of(1, OLD), ALL));
        assertEquals(Map.of(1, NEW), homes(view(SENDER, Map.of(OLD, NOTHING, NEW, SERVES)), Map.of(1, OLD), ALL));
    }

    @Test
    void shouldSendToTheNewWorkerWhenBothServeTheTask() {
        assertEquals(Map.of(1, NEW), homes(view(SENDER, Map.of(OLD, SERVES, NEW, SERVES)), Map.of(), ALL));
    }

    @Test
    void shouldSendAsBeforeWhenTheNewWorkerCannotBeReachedYet() {
        Predicate<WorkerPlace> oldOnly = OLD::equals;
        assertEquals(Map.of(1, OLD), homes(view(SENDER, Map.of(OLD, HOLDS, NEW, AWAITS)), Map.of(1, OLD), oldOnly));
        assertEquals(Map.of(1, NEW), homes(view(SENDER, Map.of(NEW, AWAITS)), Map.of(1, OLD), place -> false));
    }

    @Test
    void shouldKeepTuplesAsLongAsTheWorkerThatServesTheirTaskCannotBeReached() {
        assertEquals(Map.of(1, SENDER), homes(view(SENDER, Map.of(OLD, SERVES)), Map.of(1, OLD), NEW::equals));
        assertEquals(Map.of(1, NEW), homes(view(NEW, Map.of(OLD, SERVES)), Map.of(), place -> false));
        assertEquals(Map.of(1, NEW), homes(view(SENDER, Map.of()), Map.of(), ALL));
    }

    @Test
    void shouldTakeTuplesItselfWhenItServesTheTask() {
        assertEquals(Map.of(1, OLD), view(OLD, Map.of(NEW, AWAITS)).homes(TASK, Map.of(1, OLD), ALL));
    }

    @Test
    void shouldLeaveOnlyWhenTheNewWorkerAwaitsTheTaskAndCanBeReached() {
        assertTrue(view(OLD, Map.of(NEW, AWAITS)).mayLeave(TASK, ALL));
        assertFalse(view(OLD, Map.of(NEW, AWAITS)).mayLeave(TASK, place -> false));
        assertFalse(view(OLD, Map.of(NEW, NOTHING)).mayLeave(TASK, ALL));
        assertFalse(view(OLD, Map.of()).mayLeave(TASK, ALL));
        assertFalse(view(OLD, Map.of(NEW, AWAITS)).mayLeave(List.of(1, 2), ALL));
    }

    @Test
    void shouldLeaveWhenAnotherExecutorOfTheSameWorkerGetsTheTask() {
        assertTrue(view(NEW, Map.of()).mayLeave(TASK, place -> false));
    }

    @Test
    void shouldStartOnlyWhenNobodyElseRunsOrAwaitsTheTask() {
        assertFalse(view(NEW, Map.of(OLD, SERVES)).mayStart(TASK));
        assertFalse(view(NEW, Map.of(OLD, HOLDS)).mayStart(TASK));
        assertTrue(view(NEW, Map.of(OLD, NOTHING)).mayStart(TASK));
        assertFalse(view(NEW, Map.of(OLD, AWAITS)).mayStart(TASK));
    }

    @Test
    void shouldSayThatATaskIsOnItsWayFromTheLastOfItThereToTheFirstHere() {
        assertFalse(view(SENDER, Map.of(OLD, SERVES, NEW, AWAITS)).anyOnTheWay(NOTHING, task -> task == 1));
        assertTrue(view(SENDER, Map.of(OLD, HOLDS, NEW, AWAITS)).anyOnTheWay(NOTHING, task -> task == 1));
        assertTrue(view(SENDER, Map.of(OLD, NOTHING, NEW, AWAITS)).anyOnTheWay(NOTHING, task -> task == 1));
        assertTrue(view(SENDER, Map.of(OLD, NOTHING, NEW, NOTHING)).anyOnTheWay(NOTHING, task -> task == 1));
        assertFalse(view(SENDER, Map.of(OLD, HOLDS, NEW, AWAITS)).anyOnTheWay(NOTHING, task -> task == 2));
        assertFalse(view(SENDER, Map.of(OLD, NOTHING, NEW, SERVES)).anyOnTheWay(NOTHING, task -> task == 1));
    }

    @Test
    void shouldCountItselfWhenATaskIsOnItsWay() {
        assertTrue(view(OLD, Map.of(NEW, AWAITS)).anyOnTheWay(HOLDS, task -> task == 1));
        assertTrue(view(NEW, Map.of(OLD, NOTHING)).anyOnTheWay(AWAITS, task -> task == 1));
        assertFalse(view(OLD, Map.of(NEW, AWAITS)).anyOnTheWay(SERVES, task -> task == 1));
    }

    private static TopologyView view(WorkerPlace here, Map<WorkerPlace, Announcement> others) {
        return new TopologyView(here, Map.of(1, NEW), others);
    }

    private static Map<Integer, WorkerPlace> homes(TopologyView view, Map<Integer, WorkerPlace> before, Predicate<WorkerPlace> reachable) {
        return view.homes(Set.of(), before, reachable);
    }
}
