package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {

    private static final int MB = 1 << 20;

    private final Backlog backlog = new Backlog();
    private final List<Backlog.State> states = new ArrayList<>();

    @Test
    void shouldSayWhenItIsTooMuchAndWhenNoLonger() {
        Backlog.Destination slow = add(1).get(0);

        measure(slow, MB);
        assertEquals(List.of(), states);
        measure(slow, MB + 1);
        assertEquals(List.of(Backlog.State.CONGESTED), states);
        assertFalse(backlog.isCalm());
        measure(slow, 21 * MB);
        assertEquals(1, states.size());
        measure(slow, 22 * MB);
        assertEquals(Backlog.State.FULL, states.get(1), "with 42 MB left, 21 are its share");
        assertTrue(slow.isFull());
        measure(slow, 17 * MB);
        assertEquals(2, states.size(), "until half of it is gone");
        measure(slow, 10 * MB);
        assertEquals(Backlog.State.CONGESTED, states.get(2));
        measure(slow, MB / 2);
        assertEquals(Backlog.State.FREE, states.get(3));
        assertTrue(backlog.isCalm());
    }

    @Test
    void shouldGiveLessToEachOfMany() {
        List<Backlog.Destination> slow = add(3);

        slow.forEach(destination -> destination.measured(13 * MB));
        backlog.decide();

        assertEquals(List.of(Backlog.State.FULL, Backlog.State.FULL, Backlog.State.FULL), states);
        assertEquals(39 * MB, backlog.usedBytes());
    }

    @Test
    void shouldGiveLessWhileLargeMessagesCome() {
        Backlog.Destination slow = add(4).get(0);

        assertTrue(slow.begin(40 * MB, false));
        measure(slow, 9 * MB);
        assertEquals(List.of(Backlog.State.FULL), states);
        slow.ended(40 * MB);
        measure(slow, 9 * MB);
        assertEquals(Backlog.State.CONGESTED, states.get(1));
        assertEquals(9 * MB, backlog.usedBytes());
    }

    @Test
    void shouldLetLargeMessagesComeWhileThereIsRoom() {
        Backlog.Destination slow = add(1).get(0);

        assertTrue(slow.begin(32 * MB, false));
        assertTrue(backlog.isDecisionDue());
        assertTrue(slow.begin(32 * MB, false));
        assertFalse(slow.begin(1, false), "which would be beyond the limit");
        assertEquals(64 * MB, backlog.usedBytes());
        slow.ended(32 * MB);
        assertTrue(slow.begin(1, false));
    }

    @Test
    void shouldLetOneLargeMessageComeForEachThatHasLittleWaitingWhateverOthersHave() {
        List<Backlog.Destination> all = add(3);
        Backlog.Destination slow = all.get(0);
        slow.measured(60 * MB);

        assertFalse(slow.begin(32 * MB, false), "it takes nothing");
        assertTrue(all.get(1).begin(32 * MB, false));
        assertFalse(all.get(1).begin(1, false), "one after the other");
        assertTrue(all.get(2).begin(32 * MB, false), "it does not wait for the other one");
        all.get(1).ended(32 * MB);
        assertTrue(all.get(1).add(32 * MB, true));
        all.get(2).ended(32 * MB);
        assertTrue(all.get(2).add(32 * MB, true), "there is room for what was let in");
        assertFalse(all.get(1).begin(1, false), "it does not take the first one");
        all.get(1).measured(0);
        assertTrue(all.get(1).begin(1, false));
    }

    /** In a loop, waiting would never end. */
    @Test
    void shouldLetOneLargeMessageComeThatMustPass() {
        Backlog.Destination slow = add(1).get(0);
        slow.measured(95 * MB);

        assertTrue(slow.begin(32 * MB, true));
        assertFalse(slow.begin(1, true), "one after the other");
        slow.ended(32 * MB);
        assertFalse(slow.add(32 * MB, false), "its memory is limited");
    }

    @Test
    void shouldHaveRoomForALargeMessageToOneThatHasLittleWaiting() {
        List<Backlog.Destination> all = add(2);
        all.get(0).measured(90 * MB);

        assertTrue(all.get(1).add(32 * MB, false));
        assertFalse(all.get(1).add(32 * MB, false), "it has not taken the first one");
    }

    @Test
    void shouldNeverGiveMoreThanADestinationMayHave() {
        Backlog.Destination link = backlog.add(4 * MB, states::add);

        measure(link, 4 * MB + 1);

        assertEquals(List.of(Backlog.State.FULL), states);
    }

    @Test
    void shouldHaveRoomForThoseWithoutABacklogWhateverOthersHave() {
        List<Backlog.Destination> all = add(16);
        Backlog.Destination slow = all.get(0);
        int taken = 0;
        while (slow.add(MB / 2, false)) {
            taken++;
        }
        assertEquals(2 * 96, taken);
        assertTrue(backlog.isDecisionDue());
        backlog.decide();

        assertEquals(List.of(Backlog.State.FULL), states, "and no other");
        all.subList(1, 16).forEach(other -> assertTrue(other.add(MB / 2, false)));
        assertFalse(slow.add(1, false));

        backlog.remove(slow);
        assertEquals(15 * MB / 2, backlog.usedBytes());
        assertTrue(all.get(1).add(8 * MB, false));
    }

    @Test
    void shouldTellAForgottenDestinationNothing() {
        Backlog.Destination gone = add(1).get(0);
        measure(gone, 30 * MB);
        states.clear();

        backlog.remove(gone);
        backlog.remove(gone);
        backlog.decide();

        assertEquals(List.of(), states);
        assertEquals(0, backlog.usedBytes());
        assertTrue(backlog.isCalm());
    }

    private List<Backlog.Destination> add(int destinations) {
        List<Backlog.Destination> added = new ArrayList<>();
        for (int i = 0; i < destinations; i++) {
            added.add(backlog.add(Long.MAX_VALUE, states::add));
        }
        return added;
    }

    private void measure(Backlog.Destination destination, long bytes) {
        destination.measured(bytes);
        backlog.decide();
    }
}
