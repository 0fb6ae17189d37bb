package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import io.eyewall.scheduler.cluster.FakeWorkers;
import io.eyewall.scheduler.cluster.StormFixture;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SloFiguresTest {

    private final StormFixture storm = new StormFixture("m1", "m2");
    private final FakeWorkers workers = new FakeWorkers(storm, 1_000_000);
    private final Map<URI, String> pages = new HashMap<>();
    private final Set<URI> wanted = new TreeSet<>();
    private final SloFigures figures = new SloFigures(workers, all -> {
        wanted.addAll(all);
        return pages;
    }, 60_000, workers::nowMs);

    @Test
    void shouldReadTheCpuLoadOfEachMachineFromOneOfItsWorkers() {
        pages.put(WorkerPageReader.uri("m1", 16_700, "/host"), "eyewall-host 1 0.25 0 0\n");
        pages.put(WorkerPageReader.uri("m2", 16_700, "/host"), "eyewall-host 1 unknown 0 0\n");

        assertEquals(Map.of("m1", 0.25), measure(Map.of()).cpuLoad());
        assertEquals(pages.keySet(), wanted);
        storm.set("topology.latency.endpoint.port.offset", 0);
        wanted.clear();
        measure(Map.of());
        assertEquals(Set.of(), wanted);
    }

    @Test
    void shouldMeasureJuiceAndThroughputFromTheSecondReportOn() {
        Map<String, Slo> slos = Map.of(StormFixture.ID, new SloConfiguration(Map.of("topology.slo.juice.min", 0.9,
            "topology.slo.throughput.min", 5_000)).slo().orElseThrow());
        assertEquals(Map.of(), measure(slos).figures().get(StormFixture.ID).values());
        workers.sleep(10);
        SloFigures.Figures measured = measure(slos).figures().get(StormFixture.ID);
        assertEquals("", measured.missing());
        assertEquals(0.4, measured.values().get(SloMetric.JUICE), 1e-6);
        assertEquals(3_200, measured.values().get(SloMetric.THROUGHPUT_PER_SEC), 1e-6);
        figures.restartWindow(StormFixture.ID, workers.nowMs());
        workers.sleep(10);
        assertEquals("it is measured anew, after a step or another change: its workers report every 60 s, and two reports are needed",
            measure(slos).figures().get(StormFixture.ID).missing());
    }

    @Test
    void shouldNotReadTheLatenciesOfAMachineWithoutAKnownHostElsewhere() {
        Map<String, Slo> slos = Map.of(StormFixture.ID, new SloConfiguration(Map.of("topology.slo.latency.ms", 50)).slo().orElseThrow());
        for (String host : new String[] {"m1", "m2", "localhost"}) {
            pages.put(WorkerPageReader.uri(host, 16_700, "/worker"),
                RecordedLatenciesTest.pageOf(StormFixture.ID, RecordedLatenciesTest.line("sink", 30)));
        }
        measure(slos);
        workers.sleep(10);
        assertEquals("it has not been measured yet", measure(slos).figures().get(StormFixture.ID).missing());
        workers.sleep(60);
        measure(slos);
        assertEquals("no latency was recorded in the last minute", measure(slos).figures().get(StormFixture.ID).missing());
        figures.restartWindow(StormFixture.ID, workers.nowMs());
        for (int report = 0; report < 2; report++) {
            workers.sleep(10);
            measure(slos);
        }
        assertEquals("it is measured anew, after a step or another change", measure(slos).figures().get(StormFixture.ID).missing());

        storm.leave("m2");
        wanted.clear();
        assertEquals("no latencies from port 6700 of machine m2, whose host is not known",
            measure(slos).figures().get(StormFixture.ID).missing());
        assertEquals(Set.of(WorkerPageReader.uri("m1", 16_700, "/host"), WorkerPageReader.uri("m1", 16_700, "/worker")), wanted);
    }

    private SloFigures.Measured measure(Map<String, Slo> slos) {
        return figures.measure(storm.view(), slos);
    }
}
