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
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code storm ui} of the installation, in front of a cluster of processes: every address, actions, and what it does without Nimbus. */
@Tag("system")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UiSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("ui");
    private static final String TOPOLOGY = "watched";
    /** While the cluster starts. */
    private static final CompletableFuture<Streamparse> STREAMPARSE = Streamparse.install(Installations.workDirectory("streamparse"));

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 3).withSettings(QuickSettings.all()).withSettings(Map.of("storm.scheduler",
            "io.eyewall.scheduler.scaling.ElasticityScheduler")));

    private static String id;
    private static UiProcess ui;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        ProcessCluster cluster = CLUSTER.cluster();
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", TOPOLOGY)
            .with("topology.workers", 2).with("eyewall.rate.per.sec", 100).with("my.password", "hidden"));
        cluster.awaitRunning(TOPOLOGY, 2);
        id = cluster.topologies().find(TOPOLOGY).orElseThrow().get_id();
        ui = UiProcess.start(cluster, DIRECTORY);
    }

    @AfterAll
    static void end() throws InterruptedException {
        if (browser != null) {
            browser.close();
        }
        if (ui != null) {
            ui.end();
        }
    }

    @Test
    void shouldShowTheClusterAndItsTopology() throws Exception {
        CLUSTER.cluster().await("the UI shows acked messages", () -> get("topology/" + id).body().matches("(?s).*\"acked\":[1-9].*"));
        for (String path : List.of("cluster/configuration", "cluster/summary", "nimbus/summary", "history/summary", "owner-resources",
            "owner-resources/" + System.getProperty("user.name"), "supervisor/summary", "slo/summary", "topology/summary",
            "topology-workers/" + id,
            "topology/" + id + "?window=600&sys=1", "topology/" + id + "/metrics", "topology/" + id + "/lag",
            "topology/" + id + "/visualization-init", "topology/" + id + "/visualization?sys=1", "topology/" + id + "/component/bolt-0",
            "topology/" + id + "/component/spout", "topology/" + id + "/logconfig", "topology/" + id + "/history",
            "topology/" + id + "/latency", "topology/" + id + "/back-pressure", "topology/" + id + "/slo", "topology/" + id + "/scaling",
            "openapi.json", "session")) {
            HttpResponse<String> response = get(path);
            assertEquals(200, response.statusCode(), path + ": " + response.body());
            assertTrue(response.body().startsWith("{") && !response.body().contains("hidden"), response::body);
        }
        assertTrue(get("topology/" + id).body().contains("\"my.password\":\"*****\""));
        assertEquals(404, get("topology/none-1-1").statusCode());
    }

    @Test
    void shouldServeAClientOfUpstreamsUnchanged() throws Exception {
        List<String> stats = STREAMPARSE.join().stats(ui.root(), TOPOLOGY, "bolt-0");

        String cluster = stats.get(0);
        for (String text : List.of("Cluster summary", "Topology summary", TOPOLOGY, "Supervisor summary")) {
            assertTrue(cluster.contains(text), cluster);
        }
        String topology = stats.get(1);
        for (String text : List.of("Topology stats", "All time", "Spouts (All time)", "spout", "Bolt (All time)", "bolt-0")) {
            assertTrue(topology.contains(text), topology);
        }
        String component = stats.get(2);
        for (String text : List.of("Bolt stats", "Input stats", "Output stats")) {
            assertTrue(component.contains(text), component);
        }
    }

    @Test
    void shouldShowEveryPageInABrowserWithoutAnError() throws Exception {
        assumeTrue(Browser.isThere(), "chromium is not installed");
        // One that has a worker: another test may have left the topology only one.
        String supervisor = CLUSTER.cluster().topologies().cluster().get_supervisors().stream()
            .filter(one -> one.get_num_used_workers() > 0).findFirst().orElseThrow().get_supervisor_id();
        String worker = URLEncoder.encode(CLUSTER.cluster().topologies().cluster().get_supervisors().get(0).get_host() + ":"
            + CLUSTER.cluster().workers(TOPOLOGY).get(0).port(), StandardCharsets.UTF_8);
        String root = ui.root();
        Map<String, String> pages = Map.of("", TOPOLOGY, "#/topology/" + id, "bolt-0",
            "#/topology/" + id + "/component/bolt-0", "Executors",
            "#/topology/" + id + "/component/spout", "Output streams", "#/supervisor/" + supervisor, TOPOLOGY,
            "#/owner/" + System.getProperty("user.name"), TOPOLOGY, "topology.html?id=" + id, "bolt-0",
            "#/worker/" + id + "/" + worker, "Garbage collection");
        List<String> violations = new ArrayList<>();
        for (Map.Entry<String, String> page : new TreeMap<>(pages).entrySet()) {
            // The others are made of the same parts.
            boolean[] themes = page.getKey().isEmpty() || page.getKey().startsWith("#/topology/") ? new boolean[] {false, true}
                : new boolean[] {true};
            for (boolean dark : themes) {
                String name = "page" + page.getKey().replaceAll("\\W+", "-") + (dark ? "-dark" : "-light");
                browser().open(root + page.getKey(), dark);
                browser.awaitText("Rendered at");
                browser.awaitText(page.getValue());
                if (page.getKey().contains("topology")) {
                    browser.await("document.querySelectorAll('.charts canvas').length > 2");
                }
                if (page.getKey().equals("#/topology/" + id)) {
                    browser.await("document.querySelector('.graph .slow')");
                    browser.awaitText("slowest");
                    browser.await("document.querySelector('.percentiles canvas')");
                    browser.await("document.querySelector('.heat canvas')");
                    browser.evaluate("document.querySelector('.places button').click()");
                    browser.await("document.querySelector('.places button[aria-pressed=true]')");
                    browser.evaluate("[...document.querySelectorAll('label')].find(each => each.textContent.includes('differs'))"
                        + ".firstElementChild.click()");
                    browser.awaitText("The cluster's");
                }
                browser.picture(name);
                assertEquals(List.of(), browser.messages(), name);
                browser.violations().forEach(violation -> violations.add(name + ": " + violation));
                assertTrue(browser.content().contains("data-theme=\"" + (dark ? "dark" : "light") + "\""), name);
            }
        }
        assertEquals(List.of(), violations, () -> String.join("\n", violations));
    }

    @Test
    void shouldUpdateSevenVisiblePagesOfOneBrowser() throws Exception {
        assumeTrue(Browser.isThere(), "chromium is not installed");
        String address = "topology/" + id;
        String state = "globalThis.opened.every(page => page?.document.hidden === false"
            + " && page.document.querySelector('.state')?.textContent === '%s')";
        try (Browser windows = new Browser(DIRECTORY.resolve("windows"))) {
            windows.open(ui.root(), false);
            windows.awaitText("Rendered at");
            // Windows, since only one tab of a window is visible. A browser has six connections to a server for all of them.
            windows.evaluate("globalThis.opened = Array.from({ length: 7 }, (none, index) => open('" + ui.root() + "#/" + address
                + "', 'window' + index, 'width=400,height=300')); 0");
            windows.await(String.format(state, "ACTIVE"));
            post(address + "/deactivate", "");
            try {
                windows.await(String.format(state, "INACTIVE"));
            } finally {
                post(address + "/activate", "");
            }
            windows.await(String.format(state, "ACTIVE"));
        }
    }

    @Test
    void shouldDoWhatItsButtonsSayAfterAQuestion() throws Exception {
        assumeTrue(Browser.isThere(), "chromium is not installed");
        ProcessCluster cluster = CLUSTER.cluster();
        String name = "acted-on";
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", name)
            .with("topology.workers", 2).with("eyewall.rate.per.sec", 100).with("topology.eventlogger.executors", 1));
        cluster.awaitRunning(name, 2);
        String address = "topology/" + cluster.topologies().find(name).orElseThrow().get_id();
        browser().open(ui.root() + "#/" + address, false);
        browser.awaitText("Rendered at");

        act("Deactivate", name, Map.of());
        cluster.await("the topology is inactive", () -> get(address).body().contains("\"status\":\"INACTIVE\""));
        act("Activate", name, Map.of());
        cluster.await("the topology is active", () -> get(address).body().contains("\"status\":\"ACTIVE\""));

        act("Debug", name, Map.of("percent", "20"));
        cluster.await("tuples are logged", () -> get(address).body().contains("\"debug\":true,\"samplingPct\":20.0"));
        act("Stop debugging", name, Map.of());
        cluster.await("no tuples are logged", () -> get(address).body().contains("\"debug\":false"));

        act("Log level", name, Map.of("logger", "com.example", "level", "TRACE", "timeout", "90"));
        String levels = get(address + "/logconfig").body();
        assertTrue(levels.contains("\"com.example\":{\"target_level\":\"TRACE\""), levels);

        browser.click("Scale");
        browser.type("machines", "100000");
        browser.click("Show the plan");
        browser.await("document.querySelector('dialog[open] pre[role=status]')?.textContent.trim()");
        browser.picture("refused-plan");
        assertEquals(List.of(), browser.violations());
        browser.click("Close");
        browser.await("!document.querySelector('dialog[open]')");

        browser.click("Rebalance");
        browser.type("wait", "soon");
        browser.click("Rebalance " + name);
        browser.awaitText("wait is 'soon'. Use a whole number from 0 to 86400.");
        assertEquals(List.of(), browser.violations());
        browser.picture("refused");
        browser.click("Cancel");
        browser.await("!document.querySelector('dialog[open]')");
        act("Rebalance", name, Map.of("wait", "0", "workers", "1"));
        cluster.awaitRunning(name, 1);

        browser.click("Kill");
        browser.awaitText("It ends for good");
        browser.click("Cancel");
        assertTrue(get(address).body().contains("\"status\":\"ACTIVE\""));
        act("Kill", name, Map.of("wait", "0"));
        cluster.awaitGone(name);
    }

    @Test
    void shouldNameWhoHoldsWhomAndScaleIt() throws Exception {
        assumeTrue(Browser.isThere(), "chromium is not installed");
        ProcessCluster cluster = CLUSTER.cluster();
        String name = "held-back";
        // Two executors that sleep for 4 ms over each tuple pass 500 in a second at most.
        cluster.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", name)
            .with("topology.workers", 1).with("topology.acker.executors", 0).with("eyewall.rate.per.sec", 700)
            .with("eyewall.work.ms.bolt-0", 4).with("eyewall.parallelism", 2).with("eyewall.tasks", 8)
            .with("topology.executor.receive.buffer.size", 128));
        cluster.awaitRunning(name, 1);
        String address = "topology/" + cluster.topologies().find(name).orElseThrow().get_id();

        cluster.await("bolt-0 holds the spout", () -> get(address + "/back-pressure").body()
            .matches("(?s).*\"culprits\":\\[\\{\"component\":\"bolt-0\",\"holds\":\\[\"spout\"\\],\"sinceMs\":\\d+,.*"));
        StormCommand.Outcome command =
            new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml")).run("back-pressure", name);
        assertEquals(0, command.exitCode(), command.errors()::toString);
        assertTrue(command.output().get(0).startsWith("bolt-0 holds back spout, for "), command.output()::toString);

        browser().open(ui.root() + "#/" + address, false);
        browser.awaitText("holds back");
        browser.await("document.querySelector('.graph .node.culprit') && document.querySelector('.graph .node.held')");
        browser.picture("back-pressure");
        assertEquals(List.of(), browser.violations());
        cluster.await("the topology is measured", () -> hasPlan(address));
        browser.click("Scale");
        browser.type("machines", "1");
        browser.click("Show the plan");
        browser.awaitText("Apply the plan");
        browser.picture("plan");
        assertEquals(List.of(), browser.violations());
        browser.click("Apply the plan");
        browser.awaitText("Applied.");
        browser.click("Close");
        cluster.awaitRunning(name, 2);
        assertTrue(get(address + "/scaling").body().contains("\"kind\":\"COMMITTED\""));
        assertEquals(200, post(address + "/kill/0", "").statusCode());
        cluster.awaitGone(name);
    }

    /** Asks for a plan, and whether the scheduler has made one. */
    private static boolean hasPlan(String address) {
        Matcher request = Pattern.compile("\"requestId\":\"([^\"]+)\"").matcher(post(address + "/scaling", "{\"out\": 1}").body());
        assertTrue(request.find());
        CLUSTER.cluster().await("the scheduler answers",
            () -> get(address + "/scaling/" + request.group(1)).body().contains("\"ready\":true"));
        return get(address + "/scaling/" + request.group(1)).body().contains("\"refusal\":null");
    }

    @Test
    void shouldRebalanceToOneWorkerAsTheBodySays() throws Exception {
        HttpResponse<String> response = post("topology/" + id + "/rebalance/0", "{\"rebalanceOptions\": {\"numWorkers\": 1}}");

        assertEquals("{\"topologyOperation\":\"rebalance\",\"topologyId\":\"" + id + "\",\"status\":\"success\"}", response.body());
        CLUSTER.cluster().awaitRunning(TOPOLOGY, 1);
    }

    /** The last one: a Nimbus that has just begun to lead answers a rebalance, and skips it until it has heard of all workers. */
    @Test
    @Order(Integer.MAX_VALUE)
    void shouldSayThatNimbusIsAwayAndServeAgainWhenItIsBack() throws Exception {
        ProcessCluster cluster = CLUSTER.cluster();
        String history = "topology/" + id + "/history?metric=executed&from=-600";
        cluster.await("the history has a sample", () -> get(history).body().matches("(?s).*\"ageSecs\":\\d.*"));
        cluster.nimbus().kill();
        try {
            HttpResponse<String> kept = get(history);
            assertEquals(200, kept.statusCode(), kept.body());
            assertTrue(kept.body().matches("(?s).*\"ageSecs\":\\d.*"), kept.body());
            HttpResponse<String> response = get("cluster/summary");
            assertEquals(503, response.statusCode(), response.body());
            assertTrue(response.body().contains("Nimbus did not answer"), response.body());
        } finally {
            cluster.nimbus().start();
            cluster.awaitSupervisors();
        }
        assertEquals(200, get("cluster/summary").statusCode());
    }

    @Test
    void shouldSayInOneLineWhyItDoesNotStart() {
        StormCommand.Outcome outcome = new StormCommand(Installations.eyewall(), DIRECTORY.resolve("client.yaml"))
            .run("ui", "-c", "ui.port=" + Ports.free(), "-c", "ui.filter=no.such.Filter");

        assertEquals(1, outcome.exitCode());
        assertEquals(List.of("storm ui: ui.filter: there is no class no.such.Filter. Put its jar into extlib-daemon/."), outcome.errors());
    }

    /** Clicks a button, fills in what its question asks for, and confirms. */
    private static void act(String button, String topology, Map<String, String> values) throws IOException {
        browser.click(button);
        browser.await("document.querySelector('dialog[open]')");
        assertEquals(List.of(), browser.violations(), button);
        values.forEach(browser::type);
        browser.click(button + " " + topology);
        browser.await("!document.querySelector('dialog[open]')");
    }

    /** The browser of all tests except the one with windows. */
    private static Browser browser() throws IOException, InterruptedException {
        if (browser == null) {
            browser = new Browser(DIRECTORY.resolve("pages"));
        }
        return browser;
    }

    private static HttpResponse<String> get(String path) {
        return ui.get(path);
    }

    private static HttpResponse<String> post(String path, String body) {
        return ui.post(path, body);
    }
}
