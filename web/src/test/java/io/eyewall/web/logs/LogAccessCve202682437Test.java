package io.eyewall.web.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyewall.client.time.NanoClock;
import io.eyewall.web.api.RunningUi;
import io.eyewall.web.profile.SampledWork;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.security.auth.FixedGroupsMapping;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CVE-2026-82437: every address of the logviewer checks who asks, for logs of daemons and lists as well, and no name leads elsewhere. */
class LogAccessCve202682437Test {

    private static final String USER = "X-Test-User";
    private static final Map<String, Object> GUARDED = Map.of("logviewer.filter", RunningUi.UserFilter.class.getName(),
        "nimbus.admins", List.of("ann"), "logs.users", List.of("lea"),
        "storm.group.mapping.service", FixedGroupsMapping.class.getName(),
        "storm.group.mapping.service.params",
        Map.of(FixedGroupsMapping.STORM_FIXED_GROUP_MAPPING, Map.of("cleo", Set.of("crew"), "zoe", Set.of("none"))));

    /** What each address is asked for: something of the topology of Bert, or of a daemon. */
    private static final Map<String, String> EXAMPLES = Map.ofEntries(
        Map.entry("0", "/"),
        Map.entry("log0", "/api/v1/log?file=mine-1-1/6700/worker.log"),
        Map.entry("daemonlog0", "/api/v1/daemonlog?file=nimbus.log"),
        Map.entry("download0", "/api/v1/download?file=mine-1-1/6700/worker.log"),
        Map.entry("daemondownload0", "/api/v1/daemondownload?file=nimbus.log"),
        Map.entry("listLogs0", "/api/v1/listLogs"),
        Map.entry("searchLogs0", "/api/v1/searchLogs"),
        Map.entry("search0", "/api/v1/search?file=mine-1-1/6700/worker.log&search-string=line"),
        Map.entry("deepSearch1", "/api/v1/deepSearch/mine-1-1?search-string=line"),
        Map.entry("dumps2", "/api/v1/dumps/mine-1-1/h:6700"),
        Map.entry("dumps3", "/api/v1/dumps/mine-1-1/h:6700/recording.jfr"),
        Map.entry("flame-graph3", "/api/v1/flame-graph/mine-1-1/h:6700/flight.jfr"));

    @TempDir
    private static Path directory;
    private static RunningLogviewer viewer;

    @BeforeAll
    static void start() throws Exception {
        viewer = new RunningLogviewer(directory, NanoClock.SYSTEM, GUARDED);
        SampledWork.record(viewer.workers.resolve(RunningLogviewer.MINE + "flight.jfr"), "split");
    }

    @AfterAll
    static void end() {
        viewer.close();
    }

    @Test
    void shouldLetEverybodyReadExactlyWhatHeMay() throws Exception {
        LogFiles files = new LogFiles(viewer.workers, viewer.logs);
        List<LogviewerServlet.Address> addresses =
            new LogviewerServlet(files, new LogAccess(Utils.readDefaultConfig()), false, Set.of(), NanoClock.SYSTEM).addresses();
        assertEquals(EXAMPLES.size(), addresses.size());
        for (LogviewerServlet.Address address : addresses) {
            String example = EXAMPLES.get(address.name() + address.arguments());
            boolean ofDaemon = address.name().startsWith("daemon");
            boolean filtered = address.name().isEmpty() || address.name().endsWith("Logs");
            assertEquals(403, viewer.send("GET", example).statusCode(), "nobody, " + example);
            for (String user : List.of("ann", "lea")) {
                assertEquals(200, viewer.send("GET", example, USER, user).statusCode(), user + ", " + example);
            }
            for (String user : List.of("bert", "sue", "cleo")) {
                assertEquals(ofDaemon ? 403 : 200, viewer.send("GET", example, USER, user).statusCode(), user + ", " + example);
            }
            for (String user : List.of("zoe", "otto")) {
                assertEquals(filtered ? 200 : 403, viewer.send("GET", example, USER, user).statusCode(), user + ", " + example);
            }
        }
        assertEquals(403, viewer.get("search?file=nimbus.log&is-daemon=yes&search-string=started", USER, "bert").statusCode());
    }

    @Test
    void shouldListOnlyWhatSomebodyMayRead() throws Exception {
        assertEquals("[]", viewer.get("listLogs", USER, "zoe").body());
        List<String> ofBert = viewer.json("listLogs", USER, "bert").valueStream().map(JsonNode::asText).toList();
        assertTrue(ofBert.contains("mine-1-1/6700/worker.log"), ofBert::toString);
        assertTrue(ofBert.stream().allMatch(name -> name.startsWith("mine-1-1/")), ofBert::toString);
        String overview = viewer.send("GET", "/", USER, "otto").body();
        assertTrue(overview.contains("others-2-2"), overview);
        assertFalse(overview.contains("mine-1-1") || overview.contains("nimbus.log"), overview);
    }

    @Test
    void shouldNotTakeTheWordOfARequestForWhoAsks() throws Exception {
        assertEquals(403, viewer.get("daemonlog?file=nimbus.log&doAsUser=ann", USER, "zoe").statusCode());
        assertEquals(403, viewer.get("daemonlog?file=nimbus.log", USER, "zoe", "doAsUser", "ann").statusCode());
    }

    @Test
    void shouldAskWhoAsksWhereOnlyNimbusHasAnAuthorizer() throws Exception {
        try (RunningLogviewer half = new RunningLogviewer(directory.resolve("half"), NanoClock.SYSTEM,
            Map.of("nimbus.authorizer", "org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer"))) {
            assertEquals(403, half.get("listLogs").statusCode());
        }
        try (RunningLogviewer ofUi = new RunningLogviewer(directory.resolve("ui"), NanoClock.SYSTEM,
            Map.of("ui.filter", RunningUi.UserFilter.class.getName()))) {
            assertEquals(403, ofUi.get("listLogs").statusCode());
            assertEquals(200, ofUi.get("log?file=mine-1-1/6700/worker.log", USER, "sue").statusCode());
        }
    }

    @Test
    void shouldLetOnlyThoseReadAllWhereTheSupervisorSaysNothing() throws Exception {
        RunningLogviewer.write(viewer.workers.resolve("silent-4-4/6704/worker.log"), "hidden\n");
        assertEquals(403, viewer.get("log?file=silent-4-4/6704/worker.log", USER, "bert").statusCode());
        assertEquals(200, viewer.get("log?file=silent-4-4/6704/worker.log", USER, "lea").statusCode());
    }

    @Test
    void shouldFollowNoLinkAndNoDots() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret.log"), "hidden\n");
        Path mine = viewer.workers.resolve(RunningLogviewer.MINE);
        Files.createSymbolicLink(mine.resolve("link.log"), secret);
        Files.createSymbolicLink(mine.resolve("other.log"), viewer.workers.resolve(RunningLogviewer.OTHERS + "worker.log"));
        Files.createSymbolicLink(mine.resolve("daemon.log"), viewer.logs.resolve("nimbus.log"));
        Files.createSymbolicLink(viewer.workers.resolve("mine-1-1/6709"), viewer.workers.resolve("others-2-2/6701"));
        Files.createSymbolicLink(viewer.logs.resolve("outside.log"), secret);
        for (String file : List.of("mine-1-1/6700/link.log", "mine-1-1/6700/other.log", "mine-1-1/6700/daemon.log",
            "mine-1-1/6709/worker.log", "mine-1-1/6700/..", "mine-1-1/6700/..%2F..%2F..%2Fnimbus.log", "../logs/nimbus.log",
            "mine-1-1/../../nimbus.log", "/etc/passwd", "mine-1-1/6700/worker.log%00.txt", "mine-1-1/6700/%2e%2e")) {
            for (String address : List.of("log?file=", "download?file=", "search?search-string=e&file=")) {
                HttpResponse<String> response = viewer.get(address + file, USER, "bert");
                assertTrue(response.statusCode() == 400 || response.statusCode() == 404, address + file + ": " + response.statusCode());
                assertFalse(response.body().contains("hidden"), response.body());
            }
        }
        for (String file : List.of("outside.log", "../secret.log", "workers-artifacts/mine-1-1/6700/worker.log",
            "workers-artifacts", "..")) {
            for (String address : List.of("daemonlog?file=", "daemondownload?file=", "search?is-daemon=yes&search-string=e&file=")) {
                HttpResponse<String> response = viewer.get(address + file, USER, "ann");
                assertTrue(response.statusCode() == 400 || response.statusCode() == 404, address + file + ": " + response.statusCode());
            }
        }
        assertFalse(viewer.get("listLogs", USER, "bert").body().contains("link.log"));
        assertFalse(viewer.get("deepSearch/mine-1-1?search-string=others", USER, "bert").body().contains("a line of others"));
    }
}
