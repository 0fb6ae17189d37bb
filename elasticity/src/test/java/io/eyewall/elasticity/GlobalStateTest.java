package io.eyewall.elasticity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GlobalStateTest {

    private static final Machine MACHINE = new Machine("m1", List.of(6701, 6700), 2);

    @Test
    void shouldJoinPlacesAndRatesWhenMeasured() {
        PlacedTopology topology = topology("t", 6700);
        StatisticServer statistics = new StatisticServer();
        ExecutorId executor = topology.placement().firstKey();
        statistics.record(new ExecutorCounters(executor, 0, 0, Map.of(), 0, 0, 1));
        statistics.record(new ExecutorCounters(executor, 10_000, 10_000, Map.of("default", 500L), 0, 0, 1));

        ClusterSnapshot snapshot = new GlobalState(List.of(MACHINE), List.of(topology)).measured(statistics, 10_000);

        assertEquals(50, snapshot.rates().get("t").topology().emittedPerSec());
        assertEquals(topology.placement(), snapshot.state().topologies().get(0).placement());
        assertEquals(List.of(6700, 6701), snapshot.state().machines().get(0).ports());
    }

    @Test
    void shouldRefuseItWhenPartsDisagree() {
        assertThrows(IllegalArgumentException.class, () -> new GlobalState(List.of(MACHINE, MACHINE), List.of()));
        assertThrows(IllegalArgumentException.class,
            () -> new GlobalState(List.of(MACHINE), List.of(topology("t", 6700), topology("t", 6701))));
        assertThrows(IllegalArgumentException.class,
            () -> new GlobalState(List.of(MACHINE), List.of(topology("t", 6700), topology("u", 6700))));
        assertThrows(IllegalArgumentException.class,
            () -> new ClusterSnapshot(new GlobalState(List.of(MACHINE), List.of(topology("t", 6700))), Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new Machine("m", List.of(), 0));
    }

    private static PlacedTopology topology(String id, int port) {
        return PlacedTopology.of(new TopologyGraph(id, List.of(new Component("a", 1, 1)), List.of()),
            Map.of(new ExecutorId(id, 1, 1), new Slot("m1", port)));
    }
}
