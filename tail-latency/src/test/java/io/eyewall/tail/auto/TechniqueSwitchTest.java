package io.eyewall.tail.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TechniqueSwitchTest {

    @Test
    void shouldSwitchOnWhenThreePeriodsInARowAskForIt() {
        TechniqueSwitch control = new TechniqueSwitch(4, 16);
        judge(control, 2, true);
        control.judge(false, false);
        judge(control, 2, true);
        assertFalse(control.isOn());

        assertTrue(control.judge(true, false));
        assertTrue(control.isOn());
        assertEquals(1, control.switches());
    }

    @Test
    void shouldStayOnBetweenTheTwoConditions() {
        TechniqueSwitch control = new TechniqueSwitch(4, 16);
        judge(control, 3, true);
        for (int period = 0; period < 1_000; period++) {
            assertFalse(control.judge(false, false));
        }
        assertTrue(control.isOn());
    }

    @Test
    void shouldTakeTwiceAsLongToSwitchOffEachTimeItWasSwitchedOnAgain() {
        TechniqueSwitch control = new TechniqueSwitch(4, 10);
        for (int periodsToOff : new int[] {4, 8, 10, 10}) {
            judge(control, TechniqueSwitch.PERIODS_TO_ON, true);
            assertTrue(control.isOn());
            judge(control, periodsToOff - 1, false);
            assertTrue(control.isOn());
            judge(control, 1, false);
            assertFalse(control.isOn());
        }
        assertEquals(8, control.switches());
    }

    @Property(tries = 200, seed = "3")
    void shouldNotSwitchMoreOftenThanThePeriodsAllowWhateverTheyAskFor(@ForAll Random random) {
        TechniqueSwitch control = new TechniqueSwitch(5, 20);
        for (int period = 1; period <= 500; period++) {
            boolean before = control.isOn();
            boolean switched = control.judge(random.nextInt(10) > 0, random.nextInt(10) > 0);
            assertEquals(switched, before != control.isOn());
            assertTrue(control.switches() <= 1 + (period - TechniqueSwitch.PERIODS_TO_ON) / TechniqueSwitch.PERIODS_TO_ON);
        }
    }

    private static void judge(TechniqueSwitch control, int periods, boolean forIt) {
        for (int i = 0; i < periods; i++) {
            control.judge(forIt, !forIt);
        }
    }
}
