package io.eyewall.scheduler.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.scheduler.henge.HengeScheduler;
import io.eyewall.scheduler.henge.SloHistory;
import io.eyewall.scheduler.henge.SloReport;
import io.eyewall.scheduler.henge.SloRequest;
import io.eyewall.scheduler.henge.SloRequest.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SloCommandTest {

    private static final String REPORT = """
        {"time-ms":1732000000000,"activity":"nothing is left to do","topologies":[
        {"topology":"clicks","slo":"juice at least 0.9, worth 1 (knee)","values":"juice unknown","max-utility":1.0,
        "state":"left alone: it has not been measured yet","last-action":""},
        {"topology":"orders","slo":"p99 latency at most 50 ms, worth 10 (knee)","values":"p99 latency 40.0 ms","utility":10.0,
        "max-utility":10.0,"state":"met","last-action":"step 1, kept: all 5.00 -> 10.00","last-action-ms":1731999990000}]}
        """;
    private static final String LOG = """
        {"time-ms":1732000000000,"step":0,"kind":"RECONVERGENCE","text":"the first look"}
        {"time-ms":1732000060000,"step":1,"kind":"PLANNED","text":"reconfiguration: orders misses its SLO"}
        {"time-ms":1732000070000,"step":1,"kind":"APPLIED","text":"the cluster has the new executors"}
        {"time-ms":1732000080000,"step":2,"kind":"PLANNED","text":"relocation: orders-eu gets another place"}
        {"time-ms":1732000090000,"step":2,"kind":"APPLIED","text":"the cluster has the new executors"}
        {"time-ms":1732000095000,"step":0,"kind":"SLO_CHANGED","text":"the SLO of orders-eu is now none"}
        {"time-ms":1732000100000,"step":0,"kind":"CONVERGED","text":"nothing is left to try for orders (no tasks for more)"}
        {"time-ms":1732000110000,"step":0,"kind":"CONVERGED","text":"1 of 1 topologies meet their SLO"}
        """;
    private static final String UTILITIES = """
        {"time-ms":1732000000000,"utilities":{"orders":5.0,"clicks":0.5}}
        {"time-ms":1732000060000,"utilities":{"orders":5.0},"unknown":["clicks","new"]}
        {"time-ms":1732000120000,"utilities":{"orders":10.0,"clicks":1}}
        {"time-ms":1732000180000,"utilities":{"orders":10.0}}
        """;

    private final FakeScheduler scheduler = new FakeScheduler();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldShowAllTopologiesOrOne() throws Exception {
        scheduler.blobs.put(SloReport.KEY, bytes(REPORT));

        assertEquals(0, run());
        assertEquals(0, run("list"));
        String all = text(out).replaceAll("At .* the", "At … the")
            .replace(SchedulerConsole.time(1_731_999_990_000L), "2024-11-19 …");
        String once = """
            clicks: left alone: it has not been measured yet
              SLO          juice at least 0.9, worth 1 (knee)
              now          juice unknown
              utility      unknown of 1.00
            orders: met
              SLO          p99 latency at most 50 ms, worth 10 (knee)
              now          p99 latency 40.0 ms
              utility      10.00 of 10.00
              last action  2024-11-19 …, step 1, kept: all 5.00 -> 10.00
            At … the scheduler: nothing is left to do.
            """;
        assertEquals(once + once, all);

        out.reset();
        assertEquals(0, run("orders"));
        assertTrue(text(out).startsWith("orders: met\n"), text(out));
        assertFalse(text(out).contains("clicks"), text(out));
        assertEquals(1, run("other"));
        assertEquals("storm slo: topology other has no SLO: storm slo set other latency.ms=50 gives it one.\n", text(err));
        assertThrows(NotAliveException.class, () -> run("gone"));
    }

    @Test
    void shouldSayThatThereIsNoReportYet() throws Exception {
        assertEquals(1, run());
        assertEquals("storm slo: the scheduler has not reported yet: ask again after its first rounds, in 20 s.\n", text(err));
    }

    @Test
    void shouldChangeAnSloByARebalanceThatChangesNoNumbers() throws Exception {
        scheduler.responses.addAll(List.of(Progress.READY, Progress.DONE));

        assertEquals(0, run("set", "orders", "latency.ms=50", "topology.slo.juice.min=1e400", "latency.percentile=p99.9",
            "utility.function=points 0.5:0 1:1"));

        assertEquals(Map.of("topology.slo.latency.ms", 50, "topology.slo.juice.min", "1e400", "topology.slo.latency.percentile", "p99.9",
            "topology.slo.utility.function", "points 0.5:0 1:1"), scheduler.request.settings());
        assertEquals("SLO of orders: the new one\n", text(out));
        assertEquals(1, scheduler.rebalances.size());
        RebalanceOptions options = scheduler.rebalances.get(0);
        assertEquals(0, options.get_wait_secs());
        assertFalse(options.is_set_num_workers() || options.is_set_num_executors() || options.is_set_topology_conf_overrides());
        assertTrue(scheduler.blobs.isEmpty(), "the request is removed");
    }

    @Test
    void shouldPassOnWhyAChangeIsRefused() throws Exception {
        scheduler.responses.add(Progress.REFUSED);
        assertEquals(1, run("set", "orders", "juice.min=2"));
        assertEquals("storm slo: the new one.\n", text(err));
        assertEquals(List.of(), scheduler.rebalances);

        scheduler.responses.addAll(List.of(Progress.READY, Progress.REFUSED));
        assertEquals(1, run("set", "orders", "juice.min=0.9"));

        err.reset();
        assertEquals(1, run("set", "orders", "juice.min=0.9"));
        assertEquals("storm slo: Nimbus's scheduler has not responded. nimbus.log has the reason.\n", text(err));
        assertTrue(scheduler.blobs.isEmpty());
    }

    @Test
    void shouldChangeNothingForAUserWhoMayNotRebalance() {
        scheduler.responses.add(Progress.READY);
        scheduler.forbidding = true;

        assertThrows(AuthorizationException.class, () -> run("set", "orders", "juice.min=0.9"));

        assertTrue(scheduler.blobs.isEmpty(), "the request is removed");
    }

    @Test
    void shouldShowTheActionLog() throws Exception {
        assertEquals(0, run("history"));
        assertEquals("Nothing has been done for an SLO.\n", text(out));
        out.reset();
        scheduler.blobs.put(SloHistory.LOG_KEY, bytes(LOG));
        assertEquals(0, run("history"));
        assertEquals(8, text(out).lines().count());
        assertEquals(List.of("step 1, planned: reconfiguration: orders misses its SLO",
            "step 1, applied: the cluster has the new executors", "converged: nothing is left to try for orders (no tasks for more)"),
            history("orders"));
        assertEquals(List.of("step 2, planned: relocation: orders-eu gets another place",
            "step 2, applied: the cluster has the new executors", "slo changed: the SLO of orders-eu is now none",
            "converged: nothing is left to try for orders (no tasks for more)"), history("orders-eu"));
        assertEquals(6, history("orders-eu", "orders").size());
        assertEquals(List.of("Nothing has been done for an SLO of order."), history("order"));
        assertThrows(NotAliveException.class, () -> run("history", "gone"));
        assertThrows(NotAliveException.class, () -> run("history", "--plot", "out.svg", "gone"));
    }

    @Test
    void shouldDrawTheUtilities(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("out.svg");
        assertEquals(1, run("history", "--plot", file.toString()));
        assertEquals("storm slo: there is no utility to draw yet: no topology with an SLO has been measured.\n", text(err));
        scheduler.blobs.put(SloHistory.LOG_KEY, bytes(LOG));
        scheduler.blobs.put(SloHistory.UTILITIES_KEY, bytes(UTILITIES));

        assertEquals(0, run("history", "--plot", file.toString()));

        assertTrue(Files.readString(file).contains("<svg"));
        assertEquals(2, run("history", "--plot", "out.gif"));
        assertEquals(Map.of("all topologies", Map.of(0.0, 5.5, 60.0, 5.5, 119.999, 5.5, 120.0, 11.0, 179.999, 11.0, 180.0, 10.0),
                "clicks", Map.of(0.0, 0.5, 59.999, 0.5, 60.0, Double.NaN, 119.999, Double.NaN, 120.0, 1.0, 179.999, 1.0, 180.0,
                    Double.NaN)),
            UtilityPlot.series(SloHistory.points(bytes(UTILITIES)), List.of("clicks")));
    }

    @Test
    void shouldDrawWhatTheLastRoundHasShown(@TempDir Path directory) throws Exception {
        scheduler.blobs.put(SloHistory.UTILITIES_KEY, bytes("{\"time-ms\":1731999990000,\"utilities\":{\"orders\":10.0}}\n"));
        scheduler.blobs.put(SloReport.KEY, bytes(REPORT));

        assertEquals(0, run("history", "--plot", directory.resolve("out.svg").toString()));

        List<SloHistory.Point> points = command().points();
        assertEquals(Map.of("orders", Map.of(0.0, 10.0, 10.0, 10.0)), UtilityPlot.series(points, List.of()));
        List<SloHistory.Point> newest = SloHistory.points(bytes("""
            {"time-ms":1,"utilities":{},"unknown":["a"]}
            {"time-ms":1001,"utilities":{"a":7}}
            """));
        assertEquals(Map.of("a", Map.of(0.0, Double.NaN, 0.999, Double.NaN, 1.0, 7.0, 1.001, 7.0)), UtilityPlot.series(newest, List.of()));
    }

    @Test
    void shouldDrawASumOnlyOfSeveralTopologies() throws Exception {
        List<SloHistory.Point> one = SloHistory.points(bytes("{\"time-ms\":1,\"utilities\":{\"a\":7}}\n"));

        assertEquals(Map.of("a", Map.of(0.0, 7.0, 0.001, 7.0)), UtilityPlot.series(one, List.of()));
        assertEquals(Map.of("all topologies", Map.of(0.0, 7.0, 0.001, 7.0)), UtilityPlot.series(one, List.of("x")),
            "there is nothing else to draw");
    }

    @Test
    void shouldNameTheTopologiesThatAPlotOmits(@TempDir Path directory) throws Exception {
        String file = directory.resolve("out.svg").toString();
        scheduler.blobs.put(SloHistory.UTILITIES_KEY,
            bytes("{\"time-ms\":1,\"utilities\":{\"a\":7,\"b\":1,\"c\":6,\"d\":5,\"e\":4,\"f\":3,\"g\":2}}\n"));

        assertEquals(0, run("history", "--plot", file));
        assertEquals("Plot: " + file + "\nNot drawn, since at most 5 are, those with the highest utility; name the others to draw them: "
            + "b, g\n", text(out));
        out.reset();
        assertEquals(0, run("history", "--plot", file, "b", "g", "x"));
        assertEquals("Plot: " + file + "\nNot drawn, since no utility of them is known: x\n", text(out));
        assertEquals(List.of("all topologies", "g", "b"), List.copyOf(UtilityPlot.series(
            SloHistory.points(scheduler.blobs.get(SloHistory.UTILITIES_KEY)), List.of("b", "g", "x")).keySet()));
        out.reset();
        assertEquals(0, run("history", "--plot", file, "b", "c", "d", "e", "f"));
        assertEquals("Plot: " + file + "\n", text(out));
        assertEquals(2, run("history", "--plot", file, "b", "c", "d", "e", "f", "g"));
        assertTrue(text(err).startsWith("storm slo: a plot has at most 5 topologies, and 6 are named"), text(err));
    }

    @Test
    void shouldRefuseAWrongCommandLine() throws Exception {
        for (String[] arguments : new String[][] {{"set"}, {"set", "orders"}, {"set", "orders", "latency"}, {"set", "orders", "=5"},
            {"--dry-run"}, {"history", "--plot"}}) {
            assertEquals(2, run(arguments));
            assertTrue(text(err).contains("usage: storm slo [list | TOPOLOGY ...]"), text(err));
        }
    }

    @Test
    void shouldNameTheSchedulerThatIsNeeded() throws Exception {
        scheduler.className = "";
        for (String[] arguments : new String[][] {{}, {"history"}, {"set", "orders", "latency.ms=5"}}) {
            err.reset();
            assertEquals(1, run(arguments));
            assertEquals("storm slo: the cluster's scheduler is Storm's default. Set storm.scheduler: "
                + "io.eyewall.scheduler.henge.HengeScheduler in Nimbus's storm.yaml and restart Nimbus.\n", text(err));
        }
    }

    /** The lines of the action log of some topologies, without their times. */
    private List<String> history(String... topologies) throws Exception {
        out.reset();
        assertEquals(0, run(Stream.concat(Stream.of("history"), Stream.of(topologies)).toArray(String[]::new)));
        return text(out).lines().map(line -> line.replaceFirst("^.*?  ", "")).toList();
    }

    private int run(String... arguments) throws Exception {
        return command().run(arguments);
    }

    private SloCommand command() {
        return new SloCommand(scheduler, new SchedulerConsole(SloCommand.NAME, ms -> { },
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8)));
    }

    private static byte[] bytes(String text) {
        return text.startsWith("{\"time-ms\":1732000000000,\"activity\"") ? text.replace("\n", "").getBytes(StandardCharsets.UTF_8)
            : text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    /** A cluster whose scheduler responds to a request with the next progress at each look. */
    private static final class FakeScheduler implements SchedulerClient {

        private final Map<String, byte[]> blobs = new TreeMap<>();
        private final List<Progress> responses = new ArrayList<>();
        private final List<RebalanceOptions> rebalances = new ArrayList<>();
        private String className = HengeScheduler.class.getName();
        private boolean forbidding;
        private SloRequest request;

        @Override
        public SchedulerInfo scheduler() {
            return new SchedulerInfo(className, 10);
        }

        @Override
        public Map<String, String> supervisors() {
            return Map.of();
        }

        @Override
        public void checkAlive(String topologyName) throws NotAliveException {
            if (topologyName.equals("gone")) {
                throw new NotAliveException(topologyName);
            }
        }

        @Override
        public void rebalance(String topologyName, RebalanceOptions options) throws TException {
            if (forbidding) {
                throw new AuthorizationException("no");
            }
            rebalances.add(options);
        }

        @Override
        public void create(String key, byte[] contents) {
            blobs.put(key, contents);
        }

        @Override
        public Optional<byte[]> read(String key) {
            byte[] contents = blobs.get(key);
            if (contents != null && key.startsWith(SloRequest.KEY_PREFIX) && !responses.isEmpty()) {
                request = SloRequest.of(contents);
                contents = new SloRequest(request.id(), request.topologyName(), request.settings(), responses.remove(0), "the new one", 1)
                    .toBytes();
                blobs.put(key, contents);
            }
            return Optional.ofNullable(contents);
        }

        @Override
        public void delete(String key) {
            blobs.remove(key);
        }
    }
}
