package io.eyewall.elasticity.model;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterStateTest {

    private static final Machine MACHINE = new Machine("m1", List.of(6701, 6700), 2);

    @Test
    void shouldRefuseInconsistentParts() {
        assertThrows(IllegalArgumentException.class, () -> new ClusterState(List.of(MACHINE, MACHINE), List.of()));
        assertThrows(IllegalArgumentException.class,
            () -> new ClusterState(List.of(MACHINE), List.of(topology("t", 6700), topology("t", 6701))));
        assertThrows(IllegalArgumentException.class,
            () -> new ClusterState(List.of(MACHINE), List.of(topology("t", 6700), topology("u", 6700))));
        assertThrows(IllegalArgumentException.class, () -> new Machine("m", List.of(), 0));
    }

    private static PlacedTopology topology(String id, int port) {
        return PlacedTopology.of(new TopologyGraph(id, List.of(new Component("a", 1, 1)), List.of()),
            Map.of(new ExecutorId(id, 1, 1), new Slot("m1", port)));
    }
}
