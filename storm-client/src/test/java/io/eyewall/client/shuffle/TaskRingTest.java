package io.eyewall.client.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TaskRingTest {

    @Test
    void shouldGoRoundWhenSharesAreEqual() {
        assertArrayEquals(new int[] {0, 1, 2, 3}, TaskRing.of(new int[] {100, 100, 100, 100}));
    }

    @Test
    void shouldSpreadTheTurnsOfTheOneThatHasMoreOfThem() {
        assertArrayEquals(new int[] {0, 0, 1, 0, 0}, TaskRing.of(new int[] {160, 40}));
    }

    @Test
    void shouldGiveNoTurnToOneWithoutAShare() {
        assertArrayEquals(new int[] {1, 3}, TaskRing.of(new int[] {0, 50, 0, 50}));
    }

    @Property(tries = 300)
    void shouldGiveEachItsShareAndSpreadItsTurnsEvenly(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 400) Integer> shares) {
        int[] units = shares.stream().mapToInt(Integer::intValue).toArray();
        int[] ring = TaskRing.of(units);

        long all = Arrays.stream(units).asLongStream().sum();
        long[] turns = new long[units.length];
        for (int i = 0; i < ring.length; i++) {
            turns[ring[i]]++;
            for (int receiver = 0; receiver < units.length; receiver++) {
                double due = (i + 1) * (double) units[receiver] / all;
                assertTrue(Math.abs(turns[receiver] - due) < units.length, "receiver " + receiver + " has had " + turns[receiver]
                    + " of " + (i + 1) + " turns, not about " + due);
            }
        }
        for (int receiver = 0; receiver < units.length; receiver++) {
            assertEquals(units[receiver] * (long) ring.length, turns[receiver] * all);
        }
    }
}
