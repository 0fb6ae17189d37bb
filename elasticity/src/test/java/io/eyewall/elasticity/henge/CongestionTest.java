package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The spout emits 300 tuples per second. bolt0 processes 100 of them, bolt1 and output what bolt0 emits. */
class CongestionTest {

    private final PlacedTopology topology =
        SimulatedTopology.linear("a", ScriptedCluster.slo(1), 100, 1).on(List.of(new Slot("m1", 6700)), 1).placed;
    private final TopologyGraph graph = topology.graph();

    @Test
    void shouldCountOnlyWhatComesNow() {
        Congestion congestion = new Congestion(topology, rates());

        assertEquals(3, congestion.of(graph.indexOf("bolt0")), 1e-9);
        assertEquals(0.5, congestion.of(graph.indexOf("bolt1")), 1e-9);
        assertEquals(0.2, congestion.of(graph.indexOf("output")), 1e-9);
    }

    @Test
    void shouldCountWhatWillComeWhenThoseBeforeProcessAll() {
        Congestion congestion = new Congestion(topology, rates(), true);

        assertEquals(3, congestion.of(graph.indexOf("bolt0")), 1e-9);
        assertEquals(1.5, congestion.of(graph.indexOf("bolt1")), 1e-9);
        assertEquals(0.6, congestion.of(graph.indexOf("output")), 1e-9);
    }

    private TopologyRates rates() {
        Map<String, Rates> operators = new HashMap<>(Map.of("bolt0", new Rates(300, 100, 100, 1, 0), "bolt1",
            new Rates(100, 100, 100, 0.5, 0), "output", new Rates(100, 100, 100, 0.2, 0)));
        Map<Link, Double> loads = new HashMap<>();
        for (Link link : graph.links()) {
            boolean isSpout = graph.isSource(graph.indexOf(link.from()));
            loads.put(link, isSpout ? 300.0 : 100.0);
            operators.putIfAbsent(link.from(), new Rates(300, 300, 300, Double.NaN, 0));
        }
        Map<ExecutorId, Rates> executors = Map.of();
        return new TopologyRates(new Rates(300, 300, 300, Double.NaN, 0), operators, executors, loads, loads, 0);
    }
}
