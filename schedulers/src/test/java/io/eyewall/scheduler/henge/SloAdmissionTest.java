package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.settings.elasticity.SloAdmission;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

/** What a client reads in the report that the scheduler writes. */
class SloAdmissionTest {

    private static final Map<String, Object> WITH_SLO = Map.of("topology.slo.latency.ms", 50);
    private static final long TEN_MINUTES_MS = 600_000;

    private List<SupervisorSummary> supervisors = List.of(supervisor(4_096));
    private List<TopologySummary> topologies = List.of();

    @Test
    void shouldRefuseATopologyWithAnSloWhenThereIsNoRoom() {
        InvalidTopologyException refused =
            assertThrows(InvalidTopologyException.class, () -> submit(WITH_SLO, report(0, "it is full", true)));
        assertEquals("The cluster can hardly meet the SLO of this topology: it is full. Add a machine, lower the SLO of a topology, or set"
            + " topology.slo.latency.ms and the other objectives to 0. nimbus.slo.admission: warn lets it in.", refused.get_msg());
        assertThrows(InvalidTopologyException.class,
            () -> submit(Map.of("topology.slo.juice.min", 0.9, "topology.slo.latency.ms", 0), report(0, "it is full", true)));
    }

    @Test
    void shouldLetItInWhenTheClusterOnlyWarnsOrHasRoomOrHasNotReportedLately() {
        assertDoesNotThrow(() -> submit(WITH_SLO, report(0, "it is full", false)));
        assertDoesNotThrow(() -> submit(WITH_SLO, report(0, "", true)));
        assertDoesNotThrow(() -> submit(WITH_SLO, report(TEN_MINUTES_MS + 1, "it is full", true)));
        assertDoesNotThrow(() -> submit(WITH_SLO, Optional.empty()));
        assertDoesNotThrow(() -> submit(WITH_SLO, Optional.of("no report".getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void shouldRefuseATopologyThatNeedsMoreCoresThanAreFreeAsWhenItRanBefore() throws InvalidTopologyException {
        assertEquals("The cluster can hardly meet the SLO of this topology: it needs 2.5 cores, as when it ran before, and the machines"
            + " with a free slot have 1.2 left. Add a machine, lower the SLO of a topology, or set topology.slo.latency.ms and the other"
            + " objectives to 0. nimbus.slo.admission: warn lets it in.",
            refusal(named("orders"), room(true, OptionalDouble.of(1.2), "orders", 2.5)));
        assertEquals(List.of(), warnings(named("orders"), room(true, OptionalDouble.of(2.6), "orders", 2.5)));
        assertTrue(refusal(named("orders"), room(true, OptionalDouble.of(1.2), "orders", 2.5), 10).contains("as when it ran before"),
            "what was measured counts more than what is declared");
    }

    @Test
    void shouldWarnInsteadUnlessTheClusterRefuses() throws InvalidTopologyException {
        assertEquals(List.of("WARN The cluster can hardly meet the SLO of this topology: it needs 2.5 cores, as when it ran before, and the"
            + " machines with a free slot have 1.2 left. Add a machine, lower the SLO of a topology, or set topology.slo.latency.ms and the"
            + " other objectives to 0."), warnings(named("orders"), room(false, OptionalDouble.of(1.2), "orders", 2.5)));
    }

    @Test
    void shouldCountTheCoresOfATopologyThatIsReplacedAsFree() throws InvalidTopologyException {
        SloReport.Row running = new SloReport.Row("orders", "", "", OptionalDouble.empty(), 1, SloReport.MET, "", 0);
        SloReport report = new SloReport(System.currentTimeMillis(), "", "", true, OptionalDouble.of(1.2),
            new TreeMap<>(Map.of("orders", 2.5)), List.of(running));
        assertEquals(List.of(), warnings(named("orders"), Optional.of(report.toBytes())));
    }

    @Test
    void shouldRefuseATopologyThatDeclaresToNeedMoreCoresThanAreFree() throws InvalidTopologyException {
        Optional<byte[]> report = room(true, OptionalDouble.of(1.2), "others", 2.5);
        // A spout of one executor that declares nothing, by Storm's default 10 %, and a bolt of three.
        assertTrue(refusal(named("orders"), report, 50).contains(": it needs 1.6 cores, as its components declare, and the machines with a"
            + " free slot have 1.2 left."));
        assertEquals(List.of(), warnings(named("orders"), report, 30));
    }

    @Test
    void shouldLetATopologyInAndSayWhyWhenFiguresAreMissing() throws InvalidTopologyException {
        String in = "INFO Whether the cluster can meet the SLO of this topology is not known, so it is let in: ";
        assertEquals(List.of(in + "it has not run here under its name before, and no component declares"
            + " topology.component.cpu.pcore.percent."), warnings(named("orders"), room(true, OptionalDouble.of(0), "others", 2.5)));
        assertEquals(List.of(in + "the cores of the machines are not known: set supervisor.cpu.capacity."),
            warnings(named("orders"), room(true, OptionalDouble.empty(), "orders", 2.5)));
        assertEquals(List.of(in + "no HengeScheduler has reported in the last ten minutes."), warnings(named("orders"), Optional.empty()));
    }

    @Test
    void shouldRefuseATopologyWhoseExecutorsNeedMoreMemoryThanIsLeft() throws InvalidTopologyException {
        Optional<byte[]> report = room(true, OptionalDouble.of(9), "orders", 2.5);
        supervisors = List.of(supervisor(400), supervisor(312));
        topologies = List.of(running("others", 201));
        // A spout of one executor and a bolt of three: 128 MB each.
        assertTrue(refusal(named("orders"), report).contains(": its executors need 512 MB of memory, and the machines have 511 MB left. Add"
            + " a machine, "));

        topologies = List.of(running("others", 200));
        assertEquals(List.of(), warnings(named("orders"), report));

        topologies = List.of(running("others", 200), running("orders", 512));
        assertEquals(List.of(), warnings(named("orders"), report), "it leaves its memory to the one that replaces it");
    }

    @Test
    void shouldNotCallMemoryThatIsPromisedTwiceLessThanNone() {
        supervisors = List.of(supervisor(100));
        topologies = List.of(running("others", 300));
        assertTrue(refusal(named("orders"), room(true, OptionalDouble.of(9), "orders", 2.5)).contains("the machines have 0 MB left"));
    }

    @Test
    void shouldLetATopologyInWhenTheMemoryOfTheMachinesIsNotKnown() throws InvalidTopologyException {
        List<String> unknown = List.of("INFO Whether the cluster can meet the SLO of this topology is not known, so it is let in: the"
            + " memory of the machines is not known: set supervisor.memory.capacity.mb.");
        Optional<byte[]> report = room(true, OptionalDouble.of(9), "orders", 2.5);
        supervisors = List.of();
        assertEquals(unknown, warnings(named("orders"), report));
        supervisors = List.of(new SupervisorSummary("host", 1, 4, 0, "id"));
        assertEquals(unknown, warnings(named("orders"), report));
    }

    @Test
    void shouldNotAskWhenATopologyHasNoSlo() {
        SubmissionTarget unasked = () -> fail("the cluster does not matter");
        assertDoesNotThrow(() -> new SloAdmission().submitting(Map.of("topology.slo.latency.ms", 0), new StormTopology(), unasked,
            new HashMap<>()));
    }

    private static Optional<byte[]> report(long ageMs, String noRoom, boolean refuses) {
        long timeMs = System.currentTimeMillis() - ageMs;
        return Optional.of(new SloReport(timeMs, "nothing is left to do", noRoom, refuses, OptionalDouble.empty(), new TreeMap<>(),
            List.of()).toBytes());
    }

    /** A report of free cores, and of the cores that one topology has kept busy. */
    private static Optional<byte[]> room(boolean refuses, OptionalDouble freeCores, String name, double busyCores) {
        return Optional.of(new SloReport(System.currentTimeMillis(), "nothing is left to do", "", refuses, freeCores,
            new TreeMap<>(Map.of(name, busyCores)), List.of()).toBytes());
    }

    private static Map<String, Object> named(String name) {
        return Map.of("topology.slo.latency.ms", 50, "topology.name", name, "topology.component.cpu.pcore.percent", 10.0,
            "topology.component.resources.onheap.memory.mb", 128.0);
    }

    private static SupervisorSummary supervisor(double memoryMb) {
        SupervisorSummary supervisor = new SupervisorSummary("host", 1, 4, 0, "id");
        supervisor.set_total_resources(Map.of("memory.mb", memoryMb));
        return supervisor;
    }

    /** A topology whose executors have memory on and off the heap. */
    private static TopologySummary running(String name, double memoryMb) {
        TopologySummary running = new TopologySummary(name + "-1", name, 4, 4, 1, 1, "ACTIVE");
        running.set_assigned_memonheap(memoryMb - 10);
        running.set_assigned_memoffheap(10);
        return running;
    }

    private String refusal(Map<String, Object> conf, Optional<byte[]> report, double... percents) {
        return assertThrows(InvalidTopologyException.class, () -> submit(conf, report, percents)).get_msg();
    }

    /** What is logged while a topology is let in. */
    private List<String> warnings(Map<String, Object> conf, Optional<byte[]> report, double... percents)
            throws InvalidTopologyException {
        Heard log = new Heard();
        Logger logger = (Logger) LogManager.getLogger(SloAdmission.class);
        logger.addAppender(log);
        log.start();
        try {
            submit(conf, report, percents);
            return List.copyOf(log.lines);
        } finally {
            logger.removeAppender(log);
        }
    }

    private void submit(Map<String, Object> conf, Optional<byte[]> report, double... percents) throws InvalidTopologyException {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        BoltDeclarer count = topology.setBolt("count", new TestWordCounter(), 3);
        for (double percent : percents) {
            count.setCPULoad(percent);
        }
        new SloAdmission().submitting(conf, topology.createTopology(), new SubmissionTarget() {
            @Override
            public ClusterSummary summary() {
                return new ClusterSummary(supervisors, topologies, List.of());
            }

            @Override
            public Optional<byte[]> blob(String key) {
                assertEquals(SloReport.KEY, key);
                return report;
            }
        }, new HashMap<>());
    }

    /** What is logged. */
    private static final class Heard extends AbstractAppender {

        private final List<String> lines = new ArrayList<>();

        Heard() {
            super("heard", null, null, false, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
        }
    }
}
