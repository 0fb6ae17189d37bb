package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.henge.Action;
import io.eyewall.elasticity.henge.Backlog;
import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.elasticity.henge.HengePlan;
import io.eyewall.elasticity.henge.HengeState;
import io.eyewall.elasticity.henge.OtherTopology;
import io.eyewall.elasticity.henge.Standing;
import io.eyewall.elasticity.henge.Technique;
import io.eyewall.elasticity.henge.TopologyChange;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HengeMemoryJsonTest {

    private static final SortedMap<ExecutorId, Slot> BEFORE =
        new TreeMap<>(Map.of(new ExecutorId("orders-1-1", 1, 4), new Slot("m1", 6700)));
    private static final SortedMap<ExecutorId, Slot> AFTER = new TreeMap<>(Map.of(new ExecutorId("orders-1-1", 1, 2), new Slot("m1", 6700),
        new ExecutorId("orders-1-1", 3, 4), new Slot("m \"2\"", 6701)));
    private static final HengeState.Attempt ATTEMPT = new HengeState.Attempt(Action.REDUCTION, "missing their SLO: a, b");

    @Test
    void shouldReadAllThatItHasWritten() {
        for (OptionalLong applied : List.of(OptionalLong.empty(), OptionalLong.of(1_732_000_000_123L))) {
            HengeMemory memory = new HengeMemory(state(applied),
                Map.of("orders-1-1", Map.of("topology.slo.latency.ms", 12.5, "topology.slo.utility.function", "points 0.5:0 1:1")),
                List.of(new HengeEvent(1_732_000_000_124L, 7, HengeEvent.Kind.KEPT, "utility of \"a\" 1 -> 2")));
            assertEquals(memory, HengeMemoryJson.of(HengeMemoryJson.toBytes(memory)));
        }
        assertEquals(HengeMemory.EMPTY, HengeMemoryJson.of(HengeMemoryJson.toBytes(HengeMemory.EMPTY)));
    }

    @Test
    void shouldSayThatItCannotReadSomethingElse() {
        for (String contents : List.of("", "{}", "Dear scheduler", "[1]",
                "{\"steps\":1,\"converged\":false,\"first-seen\":[],\"changed-slos\":{}}")) {
            String message = assertThrows(IllegalArgumentException.class,
                () -> HengeMemoryJson.of(contents.getBytes(StandardCharsets.UTF_8))).getMessage();
            assertTrue(message.startsWith("it is no state that this version understands: "), message);
        }
    }

    @Test
    void shouldReadWhatAnEarlierVersionHasWritten() {
        HengeMemory memory = new HengeMemory(state(OptionalLong.empty()), Map.of(), List.of());
        String earlier = new String(HengeMemoryJson.toBytes(memory), StandardCharsets.UTF_8)
            .replaceAll(",\"(others|others-before)\":\\{\"other-2-2\":\\[[^]]*]}", "")
            .replaceAll("\"backlogs\":\\{\"orders-1-1\":\\[[^]]*]},", "")
            .replaceAll("\"techniques(-before)?\":\\{[^}]*},", "")
            .replaceAll(",\"techniques\":\\[[^]]*]|\"techniques\":\\[[^]]*],", "")
            .replaceAll("\"steady\":\\{[^}]*},", "")
            .replaceAll(",\"executors\":\\{\"orders-1-1\":\\{[^}]*}}", "");

        HengeState read = HengeMemoryJson.of(earlier.getBytes(StandardCharsets.UTF_8)).state();

        assertEquals(Map.of(), read.epoch().orElseThrow().others());
        assertEquals(Map.of(), read.techniques());
        assertEquals(Map.of(), read.pending().orElseThrow().techniquesBefore());
        assertEquals(Set.of(), read.pending().orElseThrow().plan().changes().get("orders-1-1").techniques());
        assertEquals(Map.of(), read.best().orElseThrow().techniques());
        assertEquals(Map.of(), read.epoch().orElseThrow().executors());
        assertEquals(Map.of(), read.pending().orElseThrow().othersBefore());
        assertEquals(Map.of(), read.pending().orElseThrow().backlogs());
        assertEquals(Map.of(), read.best().orElseThrow().steady());
        assertEquals(memory.state().best().orElseThrow().placements(), read.best().orElseThrow().placements());
    }

    @Test
    void shouldReadWhatALaterVersionHasWritten() {
        HengeMemory memory = new HengeMemory(state(OptionalLong.empty()), Map.of("orders-1-1", Map.of("topology.slo.latency.ms", 12.5)),
            List.of());
        String written = new String(HengeMemoryJson.toBytes(memory), StandardCharsets.UTF_8);

        String withMore = written.replace("{\"steps\"", "{\"new\":{\"a\":[1]},\"steps\"")
            .replace("[\"BALANCING\"", "[\"NEW\",\"BALANCING\"");
        assertEquals(memory, HengeMemoryJson.of(withMore.getBytes(StandardCharsets.UTF_8)));

        HengeMemory read = HengeMemoryJson.of(written.replace("\"REDUCTION\"", "\"NEW\"").getBytes(StandardCharsets.UTF_8));
        assertEquals(new HengeMemory(new HengeState(7, Optional.empty(), Optional.empty(), Optional.empty(), memory.state().firstSeen(),
            false, memory.state().techniques()), memory.changedSlos(), List.of()), read);
    }

    @Test
    void shouldLeaveOutWhatOnlyALaterVersionCanHaveLogged() {
        HengeEvent event = new HengeEvent(5, 7, HengeEvent.Kind.KEPT, "all 1.00 -> 2.00");
        String log = new String(SloHistory.logBytes(List.of(event)), StandardCharsets.UTF_8);

        assertEquals(List.of(event), SloHistory.events((log.replace("KEPT", "NEW") + log).getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldReadStandingsOfAnEarlierVersion() {
        HengeMemory memory = new HengeMemory(state(OptionalLong.empty()), Map.of(), List.of());
        String earlier = new String(HengeMemoryJson.toBytes(memory), StandardCharsets.UTF_8)
            .replace("[100.5,1.0,90.5]", "[100.5,1.0]").replace(",\"other-inputs\":{\"other-2-2\":70.5}", "");

        HengeState.Epoch epoch = HengeMemoryJson.of(earlier.getBytes(StandardCharsets.UTF_8)).state().epoch().orElseThrow();

        assertEquals(Map.of("other-2-2", new OtherTopology(new Standing(100.5, 1), 100.5)), epoch.others());
        assertEquals(Map.of(), epoch.otherInputs());
    }

    @Test
    void shouldForgetTheSlosOfTopologiesThatAreGone() {
        HengeMemory memory = HengeMemory.EMPTY.withSlo("a-1-1", Map.of("topology.slo.latency.ms", 1L))
            .withSlo("b-2-2", Map.of("topology.slo.latency.ms", 2L)).withSlo("a-1-1", Map.of("topology.slo.utility.max", 3L));

        assertEquals(Map.of("a-1-1", Map.of("topology.slo.latency.ms", 1L, "topology.slo.utility.max", 3L)),
            memory.retain(Set.of("a-1-1", "c-3-3")).changedSlos());
    }

    private static HengeState state(OptionalLong appliedMs) {
        HengePlan plan = new HengePlan(7, Action.RECONFIGURATION, "orders-1-1 misses its SLO, congested: price", "price 1 -> 2 executors",
            new TreeMap<>(Map.of("orders-1-1", new TopologyChange(new TreeMap<>(Map.of("price", 2)), AFTER,
                Set.of(Technique.values())))));
        HengeState.Pending pending = new HengeState.Pending(plan, 1_732_000_000_000L, appliedMs, new TreeMap<>(Map.of("orders-1-1", 0.25)),
            new TreeMap<>(Map.of("orders-1-1", BEFORE)), new TreeMap<>(Map.of("orders-1-1", Set.of(Technique.BALANCING))),
            new TreeMap<>(Map.of("other-2-2", new Standing(90, 0.5))),
            new TreeMap<>(Map.of("orders-1-1", 80.5)), new TreeMap<>(Map.of("orders-1-1", new Backlog(4_000, 80.5))),
            new TreeMap<>(Map.of("orders-1-1", 1.0)));
        HengeState.Epoch epoch = new HengeState.Epoch(5, new TreeMap<>(Map.of("orders-1-1", "p99 latency at most 60 ms, worth 1 (knee)")),
            Set.of("m1", "m2"), new TreeMap<>(Map.of("orders-1-1", 1_000.0)), Set.of(ATTEMPT), Set.of("orders-1-1"), Set.of("other-2-2"),
            true, new TreeMap<>(Map.of("orders-1-1", new TreeMap<>(Map.of("price", 1)))),
            new TreeMap<>(Map.of("other-2-2", new OtherTopology(new Standing(100.5, 1), 90.5))),
            new TreeMap<>(Map.of("orders-1-1", new HengeState.Leftover(Optional.of(new Backlog(6_000, 99.5)), 1_732_000_000_001L),
                "other-2-2", new HengeState.Leftover(Optional.empty(), 1_732_000_000_002L))),
            new TreeMap<>(Map.of("other-2-2", 70.5)));
        HengeState.Best best = new HengeState.Best(new TreeMap<>(Map.of("orders-1-1", 0.5)), new TreeMap<>(Map.of("orders-1-1", 0.25)),
            new TreeMap<>(Map.of("orders-1-1", BEFORE)), new TreeMap<>(Map.of("orders-1-1", Set.of(Technique.TIMEOUT))),
            List.of(ATTEMPT, new HengeState.Attempt(Action.RECONFIGURATION, "x")));
        return new HengeState(7, Optional.of(epoch), Optional.of(pending), Optional.of(best),
            Map.of("orders-1-1", new TreeMap<>(Map.of("price", 1, "source", 1))), false,
            new TreeMap<>(Map.of("orders-1-1", Set.of(Technique.values()))));
    }
}
