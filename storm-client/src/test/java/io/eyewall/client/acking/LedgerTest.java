package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private final Ledger<String> ledger = new Ledger<>();

    @Test
    void shouldCompleteARootWhenItsXorIsZero() {
        ledger.open(1, 5 ^ 9, "one");
        assertNull(ledger.settle(1, 5));
        assertEquals(1, ledger.size());
        assertEquals("one", ledger.settle(1, 9));
        assertEquals(0, ledger.size());
    }

    @Test
    void shouldIgnoreWhatComesForARootThatIsNotThere() {
        ledger.open(1, 5, "one");
        assertNull(ledger.settle(2, 5));
        assertNull(ledger.close(2));
        assertEquals("one", ledger.settle(1, 5));
        assertNull(ledger.settle(1, 5));
        assertNull(ledger.close(1));
    }

    @Test
    void shouldCompleteARootWithoutTuplesWhenItIsSettled() {
        ledger.open(1, 0, "one");
        assertEquals(1, ledger.size());
        assertEquals("one", ledger.settle(1, 0));
    }

    @Test
    void shouldKeepAMillionRootsOfTwoTasks() {
        RootIds first = new RootIds(1, -3);
        RootIds second = new RootIds(2, 1L << 39);
        List<Long> roots = new ArrayList<>();
        for (int i = 0; i < 500_000; i++) {
            roots.add(first.next());
            roots.add(second.next());
        }
        roots.forEach(root -> ledger.open(root, ~root, root.toString()));
        assertEquals(roots.size(), ledger.size());
        roots.forEach(root -> assertEquals(root.toString(), ledger.settle(root, ~root)));
        assertEquals(0, ledger.size());
    }

    /** Roots are of few values and the ledger is small, so that removal has to move others up, around the end of the table as well. */
    @Property(tries = 200)
    void shouldHoldWhatAMapHolds(@ForAll Random random, @ForAll @IntRange(min = 1, max = 3_000) int differentRoots) {
        Ledger<Long> tested = new Ledger<>();
        Ledger<Long> moved = new Ledger<>();
        Map<Long, Long> expected = new HashMap<>();
        for (int i = 0; i < 6_000; i++) {
            long root = (1L << 42) + random.nextInt(differentRoots) * 7L;
            long value = random.nextInt(4);
            Long before = expected.get(root);
            assertEquals(before == null ? null : (Long) root, tested.get(root));
            switch (random.nextInt(5)) {
                case 0 -> assertEquals(expected.remove(root) == null ? null : (Long) root, tested.close(root));
                case 1 -> {
                    assertEquals(before != null && before == value ? (Long) root : null, tested.settle(root, value));
                    expected.computeIfPresent(root, (key, outstanding) -> outstanding == value ? null : outstanding ^ value);
                }
                case 2 -> {
                    assertEquals(expected.remove(root) != null, tested.move(root, moved));
                    assertEquals(before == null ? null : (Long) root, before == null ? null : moved.settle(root, before));
                }
                default -> {
                    if (before == null) {
                        tested.open(root, value, root);
                        expected.put(root, value);
                    }
                }
            }
            assertEquals(expected.size(), tested.size());
            assertEquals(0, moved.size());
        }
        Set<Long> left = new HashSet<>();
        tested.forEach(left::add);
        assertEquals(expected.keySet(), left);
        expected.forEach((root, outstanding) -> assertEquals(root, tested.settle(root, outstanding)));
        assertEquals(0, tested.size());
    }

    @Test
    void shouldBeEmptyWhenCleared() {
        ledger.open(1, 5, "one");
        ledger.open(2, 5, "two");
        ledger.clear();
        assertEquals(0, ledger.size());
        assertNull(ledger.get(1));
        assertNull(ledger.settle(2, 5));
    }
}
