package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Marks that other stream managers have seen, some of which belong to others. */
class DeparturesTest {

    private static final long FIRST = Long.MAX_VALUE - 1; // The next ones are on the other side of the largest number.
    /** Of another stream manager; this one is not there so far. */
    private static final long STRANGER = mark(1_000);
    private static final int INSTANCE = 4;

    private final Departures departures = new Departures(FIRST);

    @Test
    void shouldEndAnInstanceWhenAllOthersHaveSeenThatItLeaves() {
        departures.asks(INSTANCE, Set.of(INSTANCE));

        assertEquals(List.of(), departures.takeReady(others(status(FIRST), status(mark(1)))));
        assertEquals(List.of(), departures.takeReady(others(status(STRANGER, FIRST), status(mark(1)))));
        assertEquals(List.of(INSTANCE), departures.takeReady(others(status(STRANGER, mark(1)), status(mark(1)))));
        assertEquals(List.of(), departures.takeReady(others(status(mark(1)))), "once");
        assertEquals(Set.of(INSTANCE), departures.report(List.of()).leaving(), "it has not ended");
    }

    @Test
    void shouldEndAnInstanceAtOnceWhereThereIsNobodyElse() {
        departures.asks(INSTANCE, Set.of(INSTANCE));

        assertEquals(List.of(INSTANCE), departures.takeReady(List.of()));
    }

    @Test
    void shouldNotTakeTheAnswerToAnEarlierLeave() {
        departures.asks(INSTANCE, Set.of(INSTANCE));
        departures.forget(INSTANCE);
        departures.asks(INSTANCE, Set.of(INSTANCE));

        assertEquals(List.of(), departures.takeReady(others(status(mark(1)))));
        assertEquals(List.of(INSTANCE), departures.takeReady(others(status(mark(2)))));
    }

    @Test
    void shouldTakeALaterMarkForAnEarlierOne() {
        departures.asks(INSTANCE, Set.of(INSTANCE));
        departures.asks(INSTANCE + 1, Set.of(INSTANCE + 1));

        assertEquals(List.of(INSTANCE, INSTANCE + 1), departures.takeReady(others(status(mark(2)))));
    }

    @Test
    void shouldNotWaitForAnAnswerForEver() {
        departures.asks(INSTANCE, Set.of(INSTANCE));
        pass(Departures.LEAVE_SECS - 1);
        assertEquals(List.of(), departures.takeReady(others(status())));
        pass(1);
        assertEquals(List.of(INSTANCE), departures.takeReady(others(status())));
    }

    @Test
    void shouldOweTuplesUntilAllHaveArrived() {
        departures.asks(INSTANCE, Set.of(INSTANCE));
        departures.left(INSTANCE, Set.of(INSTANCE), Set.of());
        departures.settle(others(status(mark(1))), source -> false);
        departures.settle(others(status(mark(2))), source -> true);
        assertEquals(Set.of(INSTANCE), owed(), "some wait here");
        assertTrue(departures.report(List.of()).leaving().isEmpty(), "its successor may start");

        departures.sentOn(Set.of(INSTANCE, INSTANCE + 1));
        departures.settle(others(status(mark(2))), source -> false);
        assertEquals(Set.of(INSTANCE), owed(), "they are on the way");
        departures.settle(others(status(mark(3))), source -> false);
        assertEquals(Set.of(), owed());
    }

    @Test
    void shouldNotOweTuplesForEver() {
        departures.left(INSTANCE, Set.of(INSTANCE), Set.of());
        pass(Departures.OWED_SECS - 1);
        departures.settle(others(status()), source -> true);
        assertEquals(Set.of(INSTANCE), owed());
        pass(1);
        departures.settle(others(status()), source -> true);
        assertEquals(Set.of(), owed());
    }

    @Test
    void shouldKnowWhichClaimsOthersHaveSeen() {
        departures.claim(Set.of(INSTANCE), Set.of());
        departures.claim(Set.of(INSTANCE), Set.of(INSTANCE + 1));
        assertEquals(Set.of(INSTANCE, INSTANCE + 1), departures.report(List.of()).claimed());

        assertEquals(Set.of(), departures.knownClaims(others(status(FIRST))));
        assertEquals(Set.of(INSTANCE), departures.knownClaims(others(status(mark(1)))));
        assertEquals(Set.of(INSTANCE, INSTANCE + 1), departures.knownClaims(others(status(mark(2)))));
        departures.claim(Set.of(INSTANCE + 1), Set.of());
        assertEquals(Set.of(INSTANCE + 1), departures.report(List.of()).claimed());
    }

    @Test
    void shouldNotClaimAnInstanceThatHasLeftWhileItsProcessEnds() {
        departures.claim(Set.of(INSTANCE), Set.of(INSTANCE));
        departures.asks(INSTANCE, Set.of(INSTANCE));
        departures.claim(Set.of(), Set.of(INSTANCE));
        assertEquals(Set.of(INSTANCE), departures.report(List.of()).claimed());

        departures.left(INSTANCE, Set.of(INSTANCE), Set.of());
        departures.claim(Set.of(), Set.of(INSTANCE));
        assertEquals(Set.of(), departures.report(List.of()).claimed());
        departures.claim(Set.of(), Set.of());
        departures.claim(Set.of(), Set.of(INSTANCE));
        assertEquals(Set.of(INSTANCE), departures.report(List.of()).claimed(), "the next process");
    }

    /** Another container could start it as well if the claim lapsed while this container starts it again. */
    @Test
    void shouldKeepTheClaimOfAnInstanceThatStartsAgain() {
        departures.claim(Set.of(INSTANCE), Set.of(INSTANCE));
        departures.asks(INSTANCE, Set.of(INSTANCE));
        departures.left(INSTANCE, Set.of(INSTANCE), Set.of(INSTANCE));
        assertEquals(Set.of(INSTANCE), departures.report(List.of()).claimed());

        departures.claim(Set.of(), Set.of(INSTANCE));
        assertEquals(Set.of(INSTANCE), departures.report(List.of()).claimed(), "its next process runs");
    }

    /** Its container may know a newer plan by which the task comes back, and start it before it reads that it may not. */
    @Test
    void shouldKeepTheClaimWhileTheContainerMayStillReadThatItMayStartTheTask() {
        departures.offers(Set.of(INSTANCE));
        departures.claim(Set.of(INSTANCE), Set.of(INSTANCE));
        departures.asks(INSTANCE, Set.of(INSTANCE));
        departures.offers(Set.of());
        departures.left(INSTANCE, Set.of(INSTANCE), Set.of());
        assertEquals(Set.of(INSTANCE), departures.report(List.of()).claimed(), "it has not been told otherwise");

        departures.claim(Set.of(), Set.of(INSTANCE));
        assertEquals(Set.of(INSTANCE), departures.report(List.of()).claimed(), "this may be its next process");
        departures.claim(Set.of(), Set.of());
        assertEquals(Set.of(), departures.report(List.of()).claimed());
    }

    @Test
    void shouldReleaseATaskAtOnceThatTheContainerMayNoLongerStart() {
        departures.offers(Set.of(INSTANCE));
        departures.claim(Set.of(INSTANCE), Set.of(INSTANCE));
        departures.asks(INSTANCE, Set.of(INSTANCE));
        departures.offers(Set.of());
        departures.claim(Set.of(), Set.of(INSTANCE));
        departures.left(INSTANCE, Set.of(INSTANCE), Set.of());
        assertEquals(Set.of(), departures.report(List.of()).claimed());
    }

    @Test
    void shouldClaimTheNextProcessOfAnInstanceThatComesBack() {
        departures.claim(Set.of(), Set.of(INSTANCE));
        departures.left(INSTANCE, Set.of(INSTANCE), Set.of());
        departures.claim(Set.of(INSTANCE), Set.of(INSTANCE));
        departures.claim(Set.of(), Set.of(INSTANCE));
        assertEquals(Set.of(INSTANCE), departures.report(List.of()).claimed());
    }

    @Test
    void shouldWaitAnewForTheArrivalOfTuplesThatHadWaitedForAStart() {
        departures.left(INSTANCE, Set.of(INSTANCE), Set.of());
        pass(Departures.OWED_SECS - 1);
        departures.sentOn(Set.of(INSTANCE));
        pass(Departures.OWED_SECS - 1);
        departures.settle(others(status()), source -> false);
        assertEquals(Set.of(INSTANCE), owed());
    }

    @Test
    void shouldReportTheMarksOfOthers() {
        assertEquals(Set.of(STRANGER), departures.report(others(status(FIRST))).seen());
    }

    @Test
    void shouldReportAllTasksOfAnInstanceAndReleaseThoseThatGoElsewhere() {
        departures.claim(Set.of(), Set.of(4, 5, 6));
        departures.asks(INSTANCE, Set.of(4, 5, 6));
        assertEquals(Set.of(4, 5, 6), departures.report(List.of()).leaving());
        assertTrue(departures.isLeaving(6));

        departures.left(INSTANCE, Set.of(4, 5, 6), Set.of(4, 7));
        departures.claim(Set.of(4, 7), Set.of(4, 5, 6));
        assertEquals(Set.of(4, 7), departures.report(List.of()).claimed(), "the others may start elsewhere");
        assertEquals(Set.of(4, 5, 6), owed());
    }

    /** It has come back with other tasks and left again, while tuples of the first process are on their way. */
    @Test
    void shouldOweTheTuplesOfAllTasksThatAnInstanceHad() {
        departures.left(INSTANCE, Set.of(4, 5), Set.of(4));
        departures.left(INSTANCE, Set.of(4, 6), Set.of());
        assertEquals(Set.of(4, 5, 6), owed());

        departures.settle(others(status(mark(2))), source -> false);
        assertEquals(Set.of(), owed());
    }

    @Test
    void shouldBeFinishedWhenOthersHaveSeenTheLastMark() {
        departures.finish(false);
        assertFalse(departures.isFinished(others(status(FIRST), status(mark(1)))));
        assertTrue(departures.isFinished(others(status(STRANGER, mark(1)), status(mark(1)))));

        departures.finish(false);
        assertTrue(departures.isFinished(others(status(mark(1)))), "it is the same mark");
        departures.goOn();
        assertFalse(departures.isFinished(others(status(mark(1)))), "tuples have left after it");
        departures.finish(false);
        assertFalse(departures.isFinished(others(status(mark(1)))));
        assertTrue(departures.isFinished(others(status(mark(2)))));
    }

    @Test
    void shouldNotBeFinishedWhileAnythingIsLeft() {
        departures.finish(true);
        assertFalse(departures.isFinished(others()), "tuples wait");
        departures.claim(Set.of(INSTANCE), Set.of());
        departures.finish(false);
        assertFalse(departures.isFinished(others()), "an instance is to start");
        departures.asks(INSTANCE, Set.of(INSTANCE));
        departures.claim(Set.of(), Set.of());
        departures.finish(false);
        assertFalse(departures.isFinished(others()), "it leaves");
        departures.left(INSTANCE, Set.of(INSTANCE), Set.of());
        departures.finish(false);
        assertFalse(departures.isFinished(others()), "its tuples are on their way");
        departures.settle(others(), source -> false);
        departures.finish(false);
        assertTrue(departures.isFinished(others()));
    }

    private static long mark(int number) {
        return FIRST + number;
    }

    private Set<Integer> owed() {
        return departures.report(List.of()).owed();
    }

    private void pass(int secs) {
        for (int i = 0; i < secs; i++) {
            departures.everySecond();
        }
    }

    private static List<InstanceStatus> others(InstanceStatus... all) {
        return List.of(all);
    }

    private static InstanceStatus status(Long... seen) {
        Moves moves = new Moves(Set.of(), Set.of(), Set.of(), STRANGER, Arrays.stream(seen).collect(Collectors.toSet()));
        return new InstanceStatus(Set.of(), moves, Set.of(), Set.of(), Map.of());
    }
}
