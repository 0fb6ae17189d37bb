package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScenarioTest {

    @Test
    void shouldHaveANameForEachScenario() {
        assertEquals(57, Scenario.named("all").size());
        assertEquals(57 + 12 + 18, new HashSet<>(Scenario.all().stream().map(Scenario::name).toList()).size(),
            "and those beside peers and with stream managers");
    }

    @Test
    void shouldFindOneByItsNameAndSeveralByAPartOfIt() {
        assertEquals(List.of("chain/ack/2w"), names("chain/ack/2w"));
        assertEquals(List.of("word-count/noack/1w", "word-count/noack/2w"), names("word-count/noack"));
        assertEquals(4, names("const-null").size());
    }

    @Test
    void shouldSayWhereTheNamesAreWhenThereIsNoneOfTheGivenOne() {
        String message = assertThrows(IllegalArgumentException.class, () -> Scenario.named("const")).getMessage();

        assertEquals("there is no scenario const; `storm bench --list` shows their names", message);
    }

    @Test
    void shouldBoundWhatIsUnderWayOnlyWhenAcking() {
        assertEquals(Map.of("topology.acker.executors", 1, "topology.max.spout.pending", 1000, "topology.workers", 2,
            "eyewall.rate.per.sec", 0L, "eyewall.latency.every", Scenario.MEASURED_EVERY),
            Scenario.named("const-null/ack/2w").get(0).configuration());
        assertEquals(Map.of("topology.acker.executors", 0, "topology.workers", 1, "eyewall.rate.per.sec", 20_000L),
            Scenario.named("chain/noack/1w").get(0).configuration());
    }

    @Test
    void shouldMakeTheFirstOfFiveTasksSlowWhenTheyAreUneven() {
        Scenario uneven = Scenario.named("tail/balance").get(0);

        assertEquals("tail/balance/uneven at 630/s", uneven.setting().title());
        assertEquals(5, uneven.configuration().get("eyewall.parallelism.stage-2"));
        assertEquals(3, uneven.configuration().get("eyewall.work.slow.factor"));
    }

    @Test
    void shouldKeepTheUtilisationOfOperatorsBehindAFilter() {
        assertEquals(1_875, Scenario.named("tail/shared-queue/page-load").get(0).ratePerSec());
        assertEquals(1_500, Scenario.named("tail/shared-queue/processing").get(0).ratePerSec());
        assertEquals(List.of(400L, 800L, 1200L, 1600L, 1800L, 1900L),
            Scenario.named("tail/utilisation").stream().map(Scenario::ratePerSec).toList());
    }

    @Test
    void shouldShuffleOverBothWorkersWhenTransportsAreCompared() {
        Scenario deep = Scenario.named("transport/deep/128KB/x4-100").get(0);
        assertEquals("deep-chain", deep.topology());
        assertEquals(131_072, deep.configuration().get("eyewall.payload.bytes"));
        assertEquals(100, deep.configuration().get("topology.max.spout.pending"));
        assertEquals(4, deep.configuration().get("eyewall.parallelism"));
        assertEquals(6, Scenario.named("transport/shallow").size());
        for (Scenario scenario : Scenario.named("transport")) {
            assertEquals(2, scenario.workers());
            assertEquals(true, scenario.configuration().get("topology.disable.loadaware.messaging"));
        }
    }

    @Test
    void shouldHaveAWorkerForEachExecutorBesideStreamManagers() {
        assertEquals(List.of("stream-manager/rate/1000", "stream-manager/rate/500000"), names("stream-manager/rate"));
        assertEquals(1_000, Scenario.named("stream-manager/rate/1000").get(0).ratePerSec());
        assertEquals(List.of("stream-manager/rtac/noack/1w", "stream-manager/rtac/noack/2w", "stream-manager/rtac/noack/3w",
            "stream-manager/rtac/noack/4w"), names("stream-manager/rtac/noack"));
        assertEquals(2, Scenario.named("stream-manager/rtac/ack/2w").get(0).configuration().get("eyewall.parallelism.user-count"));
        assertEquals(List.of("upstream", "upstream, apart", "eyewall", "eyewall, apart", "stream managers",
            "stream managers, shared memory"),
            StreamManagerScenarios.sides().stream().map(Side::label).toList());
        assertEquals(6, StreamManagerScenarios.sides().get(3).settings().get("topology.workers"));
    }

    @Test
    void shouldHaveAsManyMessagesUnderWayWithAnyNumberOfExecutors() {
        assertEquals(List.of("engine/executors/16", "engine/executors/40", "engine/executors/200", "engine/deadlines/separate",
            "engine/deadlines/shared", "engine/deadlines/bursts/separate", "engine/deadlines/bursts/shared"), names("engine"));
        Scenario many = Scenario.named("engine/executors/200").get(0);
        assertEquals(25, many.configuration().get("eyewall.parallelism"));
        assertEquals(40, many.configuration().get("topology.max.spout.pending"));
    }

    @Test
    void shouldHaveTheSameWorkInBurstsWithOneOperatorAsWithTwo() {
        assertEquals(List.of(32_500L, 65_000L), Scenario.named("engine/deadlines/bursts").stream()
            .map(scenario -> scenario.configuration().get("eyewall.pipelines.bulk.per.sec")).toList());
        assertEquals(4_000, Scenario.named("engine/deadlines/bursts/shared").get(0).ratePerSec());
    }

    @Test
    void shouldHaveTheRateInItsTitle() {
        assertEquals("chain/ack/1w at 20,000/s", Scenario.named("chain/ack/1w").get(0).setting().title());
        assertEquals("chain/ack/1w", Scenario.named("chain/ack/1w").get(0).withRate(0).setting().title());
    }

    @Test
    void shouldRunTheEnginesWorkloadsBesidePeersAtFullSpeed() {
        assertEquals(List.of("peers/chain/ack/1w", "peers/chain/ack/2w", "peers/chain/noack/1w", "peers/chain/noack/2w"),
            names("peers/chain"));
        Scenario words = Scenario.named("peers/word-count/ack/2w").get(0);
        assertEquals(Scenario.named("word-count/ack/2w").get(0).with(Map.of("topology.max.spout.pending", 10_000)).configuration(),
            words.configuration());
        assertEquals(Scenario.named("word-count/noack/2w").get(0).configuration(),
            Scenario.named("peers/word-count/noack/2w").get(0).configuration());
        assertEquals(0, Scenario.named("peers/chain/ack/1w").get(0).ratePerSec());
        assertEquals(List.of(Scenario.MEASURED_EVERY, 1), List.of(words.measuredEvery(), words.withRate(1000).measuredEvery()));
    }

    private static List<String> names(String name) {
        return Scenario.named(name).stream().map(Scenario::name).toList();
    }
}
