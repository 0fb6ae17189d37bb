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

        assertTrue(backlog.begin(40 * MB));
        measure(slow, 9 * MB);
        assertEquals(List.of(Backlog.State.FULL), states);
        backlog.ended(40 * MB);
        measure(slow, 9 * MB);
        assertEquals(Backlog.State.CONGESTED, states.get(1));
        assertEquals(9 * MB, backlog.usedBytes());
    }

    @Test
    void shouldLetOneLargeMessageComeInAnyCaseAndOthersWhileThereIsRoom() {
        Backlog.Destination slow = add(1).get(0);
        slow.measured(60 * MB);

        assertTrue(backlog.begin(32 * MB), "one always makes progress");
        assertTrue(backlog.isDecisionDue());
        assertFalse(backlog.begin(1));
        backlog.ended(32 * MB);
        slow.measured(0);
        assertTrue(backlog.begin(32 * MB));
        assertTrue(backlog.begin(32 * MB));
        assertFalse(backlog.begin(1), "which would be beyond the limit");
        assertEquals(64 * MB, backlog.usedBytes());
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
        while (slow.add(MB / 2)) {
            taken++;
        }
        assertEquals(2 * 96, taken);
        assertTrue(backlog.isDecisionDue());
        backlog.decide();

        assertEquals(List.of(Backlog.State.FULL), states, "and no other");
        all.subList(1, 16).forEach(other -> assertTrue(other.add(MB / 2)));
        assertFalse(slow.add(1));

        backlog.remove(slow);
        assertEquals(15 * MB / 2, backlog.usedBytes());
        assertTrue(all.get(1).add(8 * MB));
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
