package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private final Ledger ledger = new Ledger();

    @Test
    void shouldCompleteARootWhenItsXorIsZero() {
        ledger.open(1, 5 ^ 9);
        assertFalse(ledger.settle(1, 5));
        assertEquals(1, ledger.size());
        assertTrue(ledger.settle(1, 9));
        assertEquals(0, ledger.size());
    }

    @Test
    void shouldIgnoreWhatComesForARootThatIsNotThere() {
        ledger.open(1, 5);
        assertFalse(ledger.settle(2, 5));
        assertFalse(ledger.close(2));
        assertTrue(ledger.settle(1, 5));
        assertFalse(ledger.settle(1, 5));
        assertFalse(ledger.close(1));
    }

    @Test
    void shouldCompleteARootWithoutTuplesWhenItIsSettled() {
        ledger.open(1, 0);
        assertEquals(1, ledger.size());
        assertTrue(ledger.settle(1, 0));
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
        roots.forEach(root -> ledger.open(root, ~root));
        assertEquals(roots.size(), ledger.size());
        roots.forEach(root -> assertTrue(ledger.settle(root, ~root)));
        assertEquals(0, ledger.size());
    }

    /** Roots are of few values and the ledger is small, so that removal has to move others up, around the end of the table as well. */
    @Property(tries = 200)
    void shouldHoldWhatAMapHolds(@ForAll Random random, @ForAll @IntRange(min = 1, max = 3_000) int differentRoots) {
        Ledger tested = new Ledger();
        Map<Long, Long> expected = new HashMap<>();
        for (int i = 0; i < 6_000; i++) {
            long root = (1L << 42) + random.nextInt(differentRoots) * 7L;
            long value = random.nextInt(4);
            Long before = expected.get(root);
            switch (random.nextInt(4)) {
                case 0 -> assertEquals(expected.remove(root) != null, tested.close(root));
                case 1 -> {
                    assertEquals(before != null && before == value, tested.settle(root, value));
                    expected.computeIfPresent(root, (key, outstanding) -> outstanding == value ? null : outstanding ^ value);
                }
                default -> {
                    if (before == null) {
                        tested.open(root, value);
                        expected.put(root, value);
                    }
                }
            }
            assertEquals(expected.size(), tested.size());
        }
        expected.forEach((root, outstanding) -> assertTrue(tested.settle(root, outstanding)));
        assertEquals(0, tested.size());
    }
}
