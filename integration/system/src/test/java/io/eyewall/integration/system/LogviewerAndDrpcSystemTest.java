package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Ports;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code storm logviewer} and {@code storm drpc} of the installation, and the UI's search, with a topology that answers calls. */
@Tag("system")
class LogviewerAndDrpcSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("logviewer");
    private static final Path SETTINGS = DIRECTORY.resolve("daemons.yaml");
    private static final String FUNCTION = "exclaim";
    private static final int UI = Ports.free();
    private static final int LOGVIEWER = Ports.free();
    private static final int DRPC = Ports.free();

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSettings(QuickSettings.all()));

    private static final List<Process> DAEMONS = new ArrayList<>();
    private static String id;

    @BeforeAll
    static void start() throws IOException {
        ProcessCluster cluster = CLUSTER.cluster();
        Files.writeString(SETTINGS, new Yaml().dump(cluster.settings()));
        // First, since a spout that finds no DRPC server looks again only after two minutes.
        run("drpc", DRPC, "drpc.http.host=localhost", "drpc.http.port=" + DRPC, "drpc.childopts=" + StormCommand.smallJvm());
        cluster.await("storm drpc takes calls of workers",
            () -> Ports.listens((Integer) cluster.settings().get("drpc.invocations.port")));
        cluster.submit(Submission.of(Installations.dropInJar(), "io.eyewall.integration.dropin.Submit", "drpc"));
        cluster.awaitRunning("drpc", 1);
        id = cluster.topologies().find("drpc").orElseThrow().get_id();
        run("ui", UI, "ui.host=localhost", "ui.port=" + UI, "logviewer.port=" + LOGVIEWER,
            "ui.childopts=" + StormCommand.smallJvm());
        run("logviewer", LOGVIEWER, "logviewer.host=localhost", "logviewer.port=" + LOGVIEWER, "ui.port=" + UI,
            "logviewer.childopts=" + StormCommand.smallJvm(), "storm.log.dir=" + DIRECTORY.resolve("logs").resolve("supervisor-1"));
    }

    @AfterAll
    static void end() throws InterruptedException {
        DAEMONS.forEach(Process::destroy);
        for (Process daemon : DAEMONS) {
            assertTrue(daemon.waitFor(1, TimeUnit.MINUTES), "a daemon does not end when it is asked to");
        }
    }

    @Test
    void shouldAnswerCallsOverHttp() {
        assertEquals("storm!", send(HttpRequest.newBuilder(drpc(FUNCTION)).POST(HttpRequest.BodyPublishers.ofString("storm"))).body());
        assertEquals("eye wall!", send(HttpRequest.newBuilder(drpc(FUNCTION + "/eye%20wall"))).body());
    }

    @Test
    void shouldShowAndSearchTheLogOfAWorker() {
        String file = id + "/" + CLUSTER.cluster().workers("drpc").get(0).port() + "/worker.log";
        assertTrue(get("listLogs?topoId=" + id).body().contains("\"" + file + "\""));
        assertEquals(200, get("log?file=" + file).statusCode());
        assertTrue(get("search?search-string=" + FUNCTION + "&file=" + file).body().contains("\"byteOffset\":"));
        assertTrue(get("deepSearch/" + id + "?search-string=" + FUNCTION).body().contains("\"fileName\":\"" + file + "\""));
        assertEquals(206, send(HttpRequest.newBuilder(logviewer("download?file=" + file)).header("Range", "bytes=-9")).statusCode());
        assertTrue(get("daemonlog?file=supervisor-1.log").body().contains("supervisor"));
    }

    @Test
    void shouldFindATextOnAllHostsInABrowser() throws Exception {
        assumeTrue(Browser.isThere(), "chromium is not installed");
        try (Browser browser = new Browser(DIRECTORY.resolve("pages"))) {
            for (boolean dark : new boolean[] {false, true}) {
                browser.open("http://localhost:" + UI + "/#/logs/" + id + "/" + FUNCTION, dark);
                browser.awaitText("1 of 1 hosts have answered");
                assertTrue(browser.content().contains("<mark>" + FUNCTION + "</mark>"), browser::content);
                assertEquals(List.of(), browser.messages());
                browser.picture("logs-" + dark);
            }
        }
    }

    @Test
    @Tag("long")
    void shouldShowWhereAWorkerSpendsItsTime() throws Exception {
        ProcessCluster cluster = CLUSTER.cluster();
        String name = "profiled";
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", name)
            .with("topology.workers", 1).with("topology.worker.mode", "stream-manager").with("eyewall.rate.per.sec", 2_000));
        cluster.awaitRunning(name, 1);
        Path page = DIRECTORY.resolve("flames.html");
        StormCommand storm = new StormCommand(Installations.eyewall(), SETTINGS);

        StormCommand.Outcome drawn = storm.run("profile", name, "spout", "--seconds", "5", "-o", page.toString(),
            "-c", "logviewer.port=" + LOGVIEWER);
        assertEquals(0, drawn.exitCode(), () -> drawn.errors() + "; see " + DIRECTORY);
        assertTrue(Files.readString(page).contains("PacedSpout") && Files.readString(page).contains("-spout-executor"), page::toString);

        StormCommand.Outcome allocated = storm.run("profile", name, "spout", "--seconds", "5", "--event", "alloc", "-o", page.toString(),
            "-c", "logviewer.port=" + LOGVIEWER);
        assertEquals(0, allocated.exitCode(), () -> allocated.errors() + "; see " + DIRECTORY);
        String last = allocated.output().get(allocated.output().size() - 1);
        assertTrue(last.contains("html. Bytes allocated, by "), last);

        StormCommand.Outcome unknown = storm.run("profile", "nothing");
        assertEquals(1, unknown.exitCode());
        assertTrue(unknown.errors().get(0).startsWith("storm: no such topology is running: nothing"), unknown.errors()::toString);
        StormCommand.Outcome elsewhere = storm.run("profile", name, "nowhere:1");
        assertEquals(1, elsewhere.exitCode());
        assertTrue(elsewhere.errors().get(0).contains("has no component and no worker nowhere:1. Its components are "),
            elsewhere.errors()::toString);
    }

    @Test
    void shouldRecordAWorkerWhenTheUiIsAskedToAndShowIt() throws Exception {
        ProcessCluster cluster = CLUSTER.cluster();
        int port = cluster.workers("drpc").get(0).port();
        String worker = cluster.topologies().cluster().get_supervisors().get(0).get_host() + ":" + port;
        String recorded = recordings(port);
        profile("start", worker + "/10");
        // A dump is written as soon as the recording has begun.
        cluster.awaitCommand("a dump is written", () -> {
            send(HttpRequest.newBuilder(drpc(FUNCTION + "/storm")));
            profile("dumpprofile", worker);
            return !recordings(port).equals(recorded);
        });
        assumeTrue(Browser.isThere(), "chromium is not installed");
        try (Browser browser = new Browser(DIRECTORY.resolve("profile"))) {
            browser.open("http://localhost:" + UI + "/#/topology/" + id, true);
            browser.await("document.querySelector('a[href=\"#/profile/" + id + "/" + worker.replace(":", "%3A") + "\"]')");
            browser.open("http://localhost:" + UI + "/#/profile/" + id + "/" + worker, true);
            browser.await("document.querySelector('iframe.flames')");
            assertEquals(List.of(), browser.violations());
            browser.picture("profile-dark");
            browser.open("http://localhost:" + UI + "/#/topology/" + id + "/component/" + FUNCTION, false);
            browser.await("document.querySelector('a[href^=\"#/profile/\"][href*=\"" + FUNCTION + "%5B\"]')");
            browser.open("http://localhost:" + UI + "/#/profile/" + id + "/" + worker, false);
            browser.await("document.querySelector('iframe.flames')");
            browser.evaluate("const event = document.querySelector('select'); event.value = 'wall';"
                + " event.dispatchEvent(new Event('change'));");
            browser.await("document.querySelector('iframe.flames').src.includes('event=wall')");
            browser.picture("profile-wall");
            String before = recordings(port);
            act(browser, "Stop");
            cluster.await("the recording is written at its end", () -> !recordings(port).equals(before));
            act(browser, "Stacks");
            browser.awaitText("jstack-");
            assertEquals(List.of(), browser.messages());
            // Last, since what looks for them leaves messages.
            assertEquals(List.of(), browser.violations());
            // The one that was written at its end; the first dump may have been too soon for a sample.
            String file = Stream.of(recordings(port).split(" ")).map(path -> path.replaceAll(".*/", "")).max(Comparator.naturalOrder())
                .orElseThrow();
            browser.open("http://localhost:" + LOGVIEWER + "/api/v1/flame-graph/" + id + "/" + worker + "/" + file, false);
            browser.await("document.querySelector('canvas') && document.querySelector('h1').textContent.includes('" + file + "')");
            browser.picture("flame-graph");
            assertEquals(List.of(), browser.messages());
        }
    }

    private static void act(Browser browser, String button) {
        browser.click(button);
        browser.await("document.querySelector('dialog[open]')");
        browser.evaluate("document.querySelector('dialog[open] button[type=submit]').click()");
        browser.await("!document.querySelector('dialog[open]')");
    }

    private static void profile(String action, String worker) {
        URI address = URI.create("http://localhost:" + UI + "/api/v1/topology/" + id + "/profiling/" + action + "/" + worker);
        HttpResponse<String> response = send(HttpRequest.newBuilder(address).POST(HttpRequest.BodyPublishers.noBody()));
        assertEquals(200, response.statusCode(), response.body());
    }

    /** The names of recordings of that worker's, sorted. */
    private static String recordings(int port) {
        return Pattern.compile("[^\"]*/recording-[^\"]*[.]jfr").matcher(get("listLogs?topoId=" + id + "&port=" + port).body()).results()
            .map(MatchResult::group).collect(Collectors.joining(" "));
    }

    private static void run(String command, int port, String... settings) throws IOException {
        List<String> line = new ArrayList<>(List.of(Installations.eyewall().root().resolve("bin").resolve("storm").toString(), command));
        for (String setting : settings) {
            line.addAll(List.of("-c", setting));
        }
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put("STORM_CONF_FILE", SETTINGS.toString());
        Path output = DIRECTORY.resolve(command + ".out");
        Process daemon = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        DAEMONS.add(daemon);
        CLUSTER.cluster().await("storm " + command + " listens", () -> {
            assertTrue(daemon.isAlive(), "storm " + command + " ended: see " + output);
            return Ports.listens(port);
        });
    }

    private static URI drpc(String path) {
        return URI.create("http://localhost:" + DRPC + "/drpc/" + path);
    }

    private static URI logviewer(String path) {
        return URI.create("http://localhost:" + LOGVIEWER + "/api/v1/" + path);
    }

    private static HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(logviewer(path)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("No response to " + request.build(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + request.build(), e);
        }
    }
}
