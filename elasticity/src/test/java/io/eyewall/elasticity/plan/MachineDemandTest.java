package io.eyewall.elasticity.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import org.junit.jupiter.api.Test;

class MachineDemandTest {

    @Test
    void shouldWantOneMoreThanAreUsedWhenSomethingIsShort() {
        ClusterSnapshot snapshot = cluster(0.1).build();

        assertEquals(5, MachineDemand.machines(snapshot, true));
    }

    @Test
    void shouldWantOneFewerWhenTheOthersHaveCoresEnough() {
        // A spout counts as busy: 1 + 5 * 0.5 = 3.5 of six cores without one of the machines.
        assertEquals(3, MachineDemand.machines(cluster(0.5).build(), false));
        assertEquals(4, MachineDemand.machines(cluster(0.54).build(), false));
    }

    @Test
    void shouldWantWhatIsUsedWhileItCannotTell() {
        assertEquals(4, MachineDemand.machines(cluster(0.1).unmeasured(1).build(), false));
        assertEquals(4, MachineDemand.machines(four(Double.POSITIVE_INFINITY, 0.1).build(), false), "cores are unknown");
    }

    @Test
    void shouldKeepTheLastMachine() {
        assertEquals(1, MachineDemand.machines(
            new SnapshotBuilder("t").operator("bolt", 1, 1, 1, 0.01).host("m1", 1, 2).machine("idle", 1, 2).build(), false));
    }

    @Test
    void shouldCallATopologyCongestedOnlyOnceItIsMeasured() {
        assertTrue(MachineDemand.isCongested(cluster(0.95).build(), "t", CongestionConfiguration.DEFAULT));
        assertFalse(MachineDemand.isCongested(cluster(0.5).build(), "t", CongestionConfiguration.DEFAULT));
        assertFalse(MachineDemand.isCongested(cluster(0.95).unmeasured(1).build(), "t", CongestionConfiguration.DEFAULT));
        assertFalse(MachineDemand.isCongested(cluster(0.95).build(), "other", CongestionConfiguration.DEFAULT));
    }

    /** Four machines of two cores with a spout and five bolts. */
    private static SnapshotBuilder cluster(double busy) {
        return four(2, busy);
    }

    private static SnapshotBuilder four(double cores, double busy) {
        return new SnapshotBuilder("t").operator("spout", 1, 100, 100, Double.NaN).operator("bolt", 5, 100, 100, busy)
            .link("spout", "bolt", 100).host("m1", 1, cores).host("m2", 1, cores).host("m3", 1, cores).host("m4", 1, cores)
            .machine("idle", 1, cores);
    }
}
