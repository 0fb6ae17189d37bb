package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.slo.Slo;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoalTest {

    private static final Map<String, Slo> SLOS = Map.of("a", ScriptedCluster.slo(1), "b", ScriptedCluster.slo(10));

    @Test
    void shouldNotMakeUpForALowerMinimumWithAHigherMeanHoweverLowItIs() {
        for (double least : new double[] {1, 1e-2, 1e-4, 1e-6}) {
            assertTrue(minimum(0.95 * least, 10) < minimum(least, 10 * least), "lowest utility " + least);
        }
    }

    @Test
    void shouldPreferTheHigherMeanWhenTheMinimumIsTheSame() {
        assertTrue(minimum(0.1, 6) > minimum(0.1, 5));
        assertTrue(minimum(0, 6) > minimum(0, 5));
    }

    @Test
    void shouldCountSharesOfTheMaximumUtility() {
        assertTrue(minimum(0.4, 5) > minimum(0.5, 3), "the lowest is 0.4, and not 0.3");
    }

    private static double minimum(double a, double b) {
        return Goal.MINIMUM.score(Map.of("a", a, "b", b), SLOS.keySet(), SLOS);
    }
}
