package io.eyewall.tail.auto;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TechniqueConditionsTest {

    @Test
    void shouldReplayWhereNeitherHostsNorQueuesAreBusy() {
        assertTrue(TechniqueConditions.forAdaptiveTimeout(0.3, 0.3));
        assertTrue(TechniqueConditions.forAdaptiveTimeout(Double.NaN, 0.3), "the system does not say");
        assertFalse(TechniqueConditions.forAdaptiveTimeout(0.55, 0.3));
        assertFalse(TechniqueConditions.forAdaptiveTimeout(0.3, 0.55));
        assertFalse(TechniqueConditions.againstAdaptiveTimeout(0.55, 0.55), "in between");
        assertTrue(TechniqueConditions.againstAdaptiveTimeout(0.6, 0.3));
        assertTrue(TechniqueConditions.againstAdaptiveTimeout(0.3, 0.8));
    }

    @Test
    void shouldShareWhereSeveralExecutorsAreBusy() {
        assertTrue(TechniqueConditions.forSharing(2, 0.8));
        assertFalse(TechniqueConditions.forSharing(1, 0.8));
        assertFalse(TechniqueConditions.forSharing(2, 0.5));
        assertFalse(TechniqueConditions.againstSharing(0.5), "in between");
        assertTrue(TechniqueConditions.againstSharing(0.3));
    }

    @Test
    void shouldBalanceWhereATaskIsMuchSlower() {
        assertTrue(TechniqueConditions.forBalancing(2e6, 4e6));
        assertFalse(TechniqueConditions.forBalancing(2e6, 3e6));
        assertFalse(TechniqueConditions.forBalancing(2e3, 4e5), "all are quick");
        assertFalse(TechniqueConditions.againstBalancing(2e6, 3e6), "in between");
        assertTrue(TechniqueConditions.againstBalancing(2e6, 2.4e6));
        assertTrue(TechniqueConditions.againstBalancing(2e3, 4e5));
    }

    @Property
    void shouldNeverAskForBoth(@ForAll @DoubleRange(min = 0, max = 1) double cpu, @ForAll @DoubleRange(min = 0, max = 1) double utilisation,
            @ForAll @IntRange(min = 1, max = 9) int executors, @ForAll @DoubleRange(min = 1, max = 1e9) double leastNs,
            @ForAll @DoubleRange(min = 1, max = 10) double ratio) {
        assertFalse(TechniqueConditions.forAdaptiveTimeout(cpu, utilisation)
            && TechniqueConditions.againstAdaptiveTimeout(cpu, utilisation));
        assertFalse(TechniqueConditions.forSharing(executors, utilisation) && TechniqueConditions.againstSharing(utilisation));
        assertFalse(TechniqueConditions.forBalancing(leastNs, ratio * leastNs)
            && TechniqueConditions.againstBalancing(leastNs, ratio * leastNs));
    }
}
