package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyewall.client.security.Redaction;
import io.eyewall.web.api.RunningUi.Answer;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.utils.NimbusClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiServletTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static LocalCluster cluster;
    private static RunningUi ui;
    private static String id;

    @BeforeAll
    static void start() throws Exception {
        cluster = RunningUi.cluster();
        ui = RunningUi.of(cluster, Map.of());
        id = RunningUi.submit(cluster, "counted", Map.of("topology.eventlogger.executors", 1));
        awaitExecuted(id);
    }

    @AfterAll
    static void end() throws Exception {
        ui.close();
        cluster.close();
    }

    @Test
    void shouldShowEveryAddressThatHasNoEffect() throws Exception {
        for (String path : List.of("cluster/configuration", "cluster/summary", "nimbus/summary", "history/summary", "owner-resources",
            "supervisor/summary", "topology/summary", "topology/summary/", "topology-workers/" + id,
            "topology/" + id + "/lag", "topology/" + id + "/logconfig", "topology/" + id + "?window=600&sys=1",
            "topology/" + id + "/component/words?window=:all-time&sys=0", "session")) {
            assertEquals(200, ui.get(path).status(), path);
        }
        assertEquals(1, ui.get("topology/summary").json().get("topologies").size());
        String host = ui.get("supervisor/summary").json().get("supervisors").get(0).get("host").asText();
        assertTrue(ui.get("supervisor?host=" + host).json().get("workers").size() > 0);
        assertEquals("nobody-known", ui.get("owner-resources/nobody-known").json().get("owner").asText());
    }

    @Test
    void shouldShowMetricsByStreamAsDocumented() throws Exception {
        JsonNode metrics = ui.get("topology/" + id + "/metrics").json();

        JsonNode spout = metrics.get("spouts").get(0);
        assertEquals("words", spout.get("id").asText());
        assertEquals("default", spout.get("emitted").get(0).get("stream_id").asText());
        assertTrue(spout.get("emitted").get(0).get("value").asLong() > 0);
        JsonNode bolt = metrics.get("bolts").get(0);
        assertEquals("count", bolt.get("id").asText());
        for (String figure : List.of("executed", "executed_ms_avg")) {
            assertEquals("words", bolt.get(figure).get(0).get("component_id").asText(), figure);
        }
        assertTrue(bolt.get("executed_ms_avg").get(0).get("value").isTextual());
        assertEquals("All time", metrics.get("windowHint").asText());
    }

    @Test
    void shouldDrawTheGraph() throws Exception {
        JsonNode graph = ui.get("topology/" + id + "/visualization").json();
        JsonNode rows = ui.get("topology/" + id + "/visualization-init").json().get("visualizationTable");

        assertEquals(3, graph.size(), graph::toString);
        JsonNode count = graph.get("count");
        assertEquals("bolt", count.get(":type").asText());
        assertEquals("words", count.get(":inputs").get(0).get(":component").asText());
        assertEquals("fields", count.get(":inputs").get(0).get(":grouping").asText());
        assertTrue(count.get(":stats").get(0).has(":transferred"));
        assertEquals("default", rows.get(0).get(":row").get(0).get(":stream").asText());
        assertTrue(rows.get(0).get(":row").get(0).get(":checked").asBoolean());
        assertTrue(ui.get("topology/" + id + "/visualization?sys=1").json().size() > 3);
        assertEquals(2, graph.get("words").get(":stats").size());
        assertEquals(1, ui.get("topology/" + id + "/visualization?stats=sum").json().get("words").get(":stats").size());
        assertEquals("stats is 'all'. Use one of executors, sum.",
            ui.get("topology/" + id + "/visualization?stats=all").json().get("errorMessage").asText());
    }

    @Test
    void shouldShowAComponentWhoseNameNeedsEncoding() throws Exception {
        String encoded = URLEncoder.encode(RunningUi.ODD_COMPONENT, StandardCharsets.UTF_8).replace("+", "%20");

        Answer answer = ui.get("topology/" + id + "/component/" + encoded);

        assertEquals(200, answer.status(), answer.json()::toString);
        assertEquals(RunningUi.ODD_COMPONENT, answer.json().get("id").asText());
    }

    @Test
    void shouldHideWhatIsSecret() throws Exception {
        for (String path : List.of("cluster/configuration", "topology/" + id)) {
            String body = ui.get(path).whole().body();
            assertFalse(body.contains("hidden-"), body);
            assertTrue(body.contains(Redaction.MASK), path);
        }
        assertEquals("-Dkey.password=***** -Xmx1g", ui.get("cluster/configuration").json().get("nimbus.childopts").asText());
    }

    @Test
    void shouldActAndSayWhatWasDone() throws Exception {
        assertEquals("{\"topologyOperation\":\"deactivate\",\"topologyId\":\"" + id + "\",\"status\":\"success\"}",
            ui.post("topology/" + id + "/deactivate", "").whole().body());
        assertEquals("INACTIVE", ui.get("topology/" + id).json().get("status").asText());
        assertEquals("INACTIVE", ui.get("topology/" + id, "Cache-Control", "max-age=10").json().get("status").asText());
        ui.post("topology/" + id + "/activate", "");
        assertEquals("ACTIVE", ui.get("topology/" + id).json().get("status").asText());
        // What somebody has been told before an action is told to nobody after it.
        Answer shared = ui.get("topology/" + id, "Cache-Control", "max-age=10");
        assertEquals("ACTIVE", shared.json().get("status").asText());
        assertTrue(shared.whole().headers().firstValue("Age").isPresent());
        assertEquals("debug/enable", ui.post("topology/" + id + "/component/count/debug/enable/20", "").json()
            .get("topologyOperation").asText());
        assertTrue(ui.get("topology/" + id + "/component/count").json().get("debug").asBoolean());
        ui.post("topology/" + id + "/component/count/debug/disable/0", "");
        JsonNode levels = ui.post("topology/" + id + "/logconfig",
            "{\"namedLoggerLevels\":{\"com.example\":{\"target_level\":\"DEBUG\",\"timeout\":30}}}").json();
        assertEquals("DEBUG", levels.get("namedLoggerLevels").get("com.example").get("target_level").asText());
        ui.post("topology/" + id + "/logconfig", "{\"namedLoggerLevels\":{\"com.example\":{\"target_level\":null}}}");
        assertFalse(ui.get("topology/" + id + "/logconfig").json().get("namedLoggerLevels").has("com.example"));
    }

    @Test
    void shouldRequestProfilesWithGetAndPost() throws Exception {
        // A Supervisor in this JVM ends it when a worker of its own is to be recorded.
        String name = "elsewhere:6700";

        JsonNode started = ui.get("topology/" + id + "/profiling/start/" + name + "/10").json();

        assertEquals(List.of("ok", name, "10"), List.of(started.get("status").asText(), started.get("id").asText(),
            started.get("timeout").asText()));
        Answer second = ui.post("topology/" + id + "/profiling/start/" + name + "/10", "");
        assertEquals(409, second.status());
        assertTrue(second.json().get("errorMessage").asText().startsWith("The worker " + name + " of " + id
            + " is being recorded"), second.json()::toString);
        assertEquals("ok", ui.post("topology/" + id + "/profiling/stop/" + name, "").json().get("status").asText());
        assertEquals(200, ui.post("topology/" + id + "/profiling/start/" + name + "/10", "").status());
        assertEquals("ok", ui.post("topology/" + id + "/profiling/stop/" + name, "").json().get("status").asText());
        assertEquals(400, ui.get("topology/" + id + "/profiling/start/" + name + "/soon").status());
        assertEquals(400, ui.get("topology/" + id + "/profiling/dumpheap/nowhere").status());
    }

    @Test
    void shouldRebalanceToWhatTheBodySays() throws Exception {
        String other = RunningUi.submit(cluster, "rebalanced", Map.of("topology.workers", 1));
        // A Supervisor in this JVM ends it if it has to give up a topology whose files it is still fetching.
        awaitExecuted(other);

        Answer answer = ui.post("topology/" + other + "/rebalance/0",
            "{\"rebalanceOptions\": {\"numWorkers\": 1, \"executors\": {\"words\": \"1\", \"count\": 1}}, \"callback\": \"foo\"}");

        assertEquals(200, answer.status(), answer.json()::toString);
        Awaitility.await().atMost(PATIENCE).until(() -> {
            JsonNode page = ui.get("topology/" + other).json();
            return page.get("spouts").path(0).path("executors").asInt() == 1 && page.get("status").asText().equals("ACTIVE");
        });
        awaitExecuted(other);
        for (String bad : List.of("{\"rebalanceOptions\": {\"numWorkers\": \"many\"}}", "{\"rebalanceOptions\": {\"executors\": [1]}}",
            "{\"rebalanceOptions\": {\"executors\": {\"words\": 0}}}", "{", "[]")) {
            assertEquals(400, ui.post("topology/" + other + "/rebalance/0", bad).status(), bad);
        }
        assertEquals(404, ui.post("topology/" + other + "/rebalance/0", "{\"rebalanceOptions\": {\"executors\": {\"none\": 1}}}").status());
        assertEquals("kill", ui.post("topology/" + other + "/kill/0", "").json().get("topologyOperation").asText());
        Awaitility.await().atMost(PATIENCE).until(() -> ui.get("topology/" + other).status() == 404);
    }

    @Test
    void shouldSendWhatHappens() throws Exception {
        String other = RunningUi.submit(cluster, "followed", Map.of("topology.workers", 1));
        Awaitility.await().atMost(PATIENCE).until(() -> ui.get("topology/" + other + "/history").json().path("ageSecs").isNumber());
        try (Stream<String> lines = ui.lines("topology/" + other + "/events")) {
            assertEquals(200, ui.post("topology/" + other + "/deactivate", "").status());
            List<String> event = lines.filter(line -> !line.isEmpty() && !line.startsWith(":")).limit(2).toList();
            assertTrue(event.get(0).startsWith("id: "), event::toString);
            assertTrue(event.get(1).startsWith("data: {"), event::toString);
            assertTrue(event.get(1).contains("\"kind\":\"change\",\"text\":\"INACTIVE"), event::toString);
            try (Stream<String> again = ui.lines("topology/" + other + "/events", "Last-Event-ID", "0")) {
                assertTrue(again.filter(line -> line.equals(event.get(1))).findFirst().isPresent());
            }
        }
        assertEquals(400, ui.get("topology/" + other + "/events", "Last-Event-ID", "one").status());
        assertEquals(200, ui.post("topology/" + other + "/kill/0", "").status());
    }

    @Test
    void shouldShowTheHistoryAlsoAfterARestart(@TempDir Path directory) throws Exception {
        Map<String, Object> settings = Map.of("storm.local.dir", directory.toString());
        String path = "topology/" + id + "/history?from=-600";
        long sampledAt;
        try (RunningUi first = RunningUi.of(cluster, settings)) {
            Awaitility.await().atMost(PATIENCE).until(() -> known(first.get(path).json(), "executed") > 0);
            JsonNode topology = first.get(path).json();
            assertEquals(10, topology.get("stepSecs").asInt());
            assertEquals("[\"count\",\"" + RunningUi.ODD_COMPONENT + "\",\"words\"]", topology.get("components").toString());
            assertTrue(topology.get("ageSecs").asLong() < 60, topology::toString);
            JsonNode bolt = first.get(path + "&component=count&metric=executeLatency").json().get("metrics");
            assertEquals(1, bolt.size(), bolt::toString);
            sampledAt = topology.get("sampledAt").asLong();
            try (RunningUi second = RunningUi.of(cluster, settings)) {
                assertEquals("No history is kept: its directory cannot be used. The log of the UI says why.",
                    second.get(path).json().get("errorMessage").asText());
            }
        }
        try (RunningUi again = RunningUi.of(cluster, settings)) {
            assertTrue(again.get(path).json().get("sampledAt").asLong() >= sampledAt);
            assertTrue(known(again.get(path).json(), "executed") > 0);
        }
    }

    @Test
    void shouldNameWhatIsWrongWithAQuestionAboutTheHistory() throws Exception {
        String path = "topology/" + id + "/history";
        Awaitility.await().atMost(PATIENCE).until(() -> ui.get(path).json().get("ageSecs").isNumber());
        assertEquals("metric is 'speed'. Use one of emitted, transferred, acked, failed, executed, completeLatency, executeLatency,"
            + " processLatency, capacity, executors, workers, latencyP50, latencyP99, latencyP999, heapUsed, heapMax, cpu, gc,"
            + " queue, backPressure, or leave it out for all.",
            ui.get(path + "?metric=speed").json().get("errorMessage").asText());
        assertEquals("from is 20 and to is 10. from must be earlier, by at most 2592000 seconds.",
            ui.get(path + "?from=20&to=10").json().get("errorMessage").asText());
        assertEquals(404, ui.get(path + "?component=none").status());
        assertEquals("h:1", ui.get(path + "?worker=h:1").json().get("worker").asText());
        assertEquals(400, ui.get(path + "?worker=h:1&component=words").status());
        for (String wrong : List.of("from=soon", "to=", "from=-2592001", "from=0", "from=10&to=10", "to=99999999999999999999", "metric=")) {
            assertEquals(400, ui.get(path + "?" + wrong).status(), wrong);
        }
    }

    @Test
    void shouldShowWhatTheSchedulersKeepInBlobs() throws Exception {
        String path = "topology/" + id + "/";
        assertTrue(ui.get(path + "slo").json().get("slo").isNull());
        assertEquals(0, ui.get(path + "scaling").json().get("events").size());
        create("eyewall-slo-report", "{\"time-ms\":5,\"activity\":\"waits\",\"topologies\":[{\"topology\":\"other\",\"slo\":\"x\"},"
            + "{\"topology\":\"counted\",\"slo\":\"p99 50 ms\",\"values\":\"p99 40 ms\",\"utility\":0.5,\"max-utility\":1.0,"
            + "\"state\":\"met\",\"last-action\":\"step 1\",\"last-action-ms\":4}]}");
        create("eyewall-scaling-log", "{\"time-ms\":1,\"action\":\"a\",\"topology\":\"other\",\"order\":\"o\",\"kind\":\"ABORTED\","
            + "\"text\":\"t\"}\n{\"time-ms\":2,\"action\":\"b\",\"topology\":\"counted\",\"order\":\"scale out by 1 (etp)\","
            + "\"kind\":\"COMMITTED\",\"text\":\"t\"}\n");
        String request = "01234567-89ab-cdef-0123-456789abcdef";
        create("eyewall-scaling-order-" + request, "{\"order\":{\"topology\":\"counted\"},\"answer\":{\"text\":\"more\",\"executors\":"
            + "{\"count\":3},\"workers\":2},\"answered-ms\":1}");

        JsonNode slo = ui.get(path + "slo").json();
        assertEquals(List.of("p99 50 ms", "p99 40 ms", "met", "waits", "step 1", "4"),
            texts(slo, "slo", "now", "state", "activity", "lastAction", "lastActionMs"));
        JsonNode events = ui.get(path + "scaling").json().get("events");
        assertEquals(1, events.size(), events::toString);
        assertEquals(List.of("b", "scale out by 1 (etp)", "COMMITTED"), texts(events.get(0), "requestId", "request", "kind"));
        JsonNode plan = ui.get(path + "scaling/" + request).json();
        assertTrue(plan.get("ready").asBoolean() && plan.get("refusal").isNull(), plan::toString);
        assertEquals(3, plan.get("executors").get("count").asInt());
        assertEquals(404, ui.get(path + "scaling/11234567-89ab-cdef-0123-456789abcdef").status());
        assertEquals(404, ui.get(path + "scaling/eyewall").status());
    }

    @Test
    void shouldSayWhyThereIsNoPlanForScaling() throws Exception {
        String path = "topology/" + id + "/scaling";
        Answer refused = ui.post(path, "{\"out\": 1}");
        assertEquals(409, refused.status());
        assertTrue(refused.json().get("errorMessage").asText().contains("Set storm.scheduler: io.eyewall.scheduler.scaling"),
            refused.json()::toString);
        for (String wrong : List.of("", "{\"out\": 1, \"in\": 1}", "{\"out\": 0}", "{\"in\": \"all\"}",
            "{\"out\": 1, \"strategy\": \"\\u0000\"}")) {
            assertEquals(400, ui.post(path, wrong).status(), wrong);
        }
    }

    @Test
    void shouldNotKnowATopologyOrComponentThatDoesNotExist() throws Exception {
        for (String path : List.of("topology/none-1-1", "topology/none-1-1/metrics", "topology/none-1-1/visualization",
            "topology/none-1-1/visualization-init", "topology/none-1-1/lag", "topology/none-1-1/logconfig", "topology-workers/none-1-1",
            "topology/none-1-1/component/words", "topology/" + id + "/component/none", "topology/none-1-1/profiling/stop/a:1", "nothing")) {
            Answer answer = ui.get(path);
            assertEquals(404, answer.status(), path);
            assertEquals("404 Not Found", answer.json().get("error").asText());
            assertFalse(answer.json().get("errorMessage").asText().isEmpty());
        }
        for (String action : List.of("activate", "deactivate", "rebalance/0", "kill/0", "debug/enable/10")) {
            assertEquals(404, ui.post("topology/none-1-1/" + action, "").status(), action);
        }
    }

    @Test
    void shouldNameWhatIsWrongWithAParameter() throws Exception {
        assertEquals("window is 'week'. Use one of 600, 10800, 86400, :all-time.",
            ui.get("topology/" + id + "?window=week").json().get("errorMessage").asText());
        assertEquals("size is 'all'. Use a whole number from 1 to 1000.",
            ui.get("topology/summary?size=all").json().get("errorMessage").asText());
        assertEquals(400, ui.get("supervisor/summary?page=1&sort=nothing").status());
        assertEquals(1, ui.get("topology/" + id + "/component/words?size=1&sort=-port").json().get("executorStats").size());
        JsonNode workers = ui.get("topology/" + id + "?size=1&sort=port").json();
        assertEquals(List.of(1, 1), List.of(workers.get("workers").size(), workers.get("total").asInt()));
        assertEquals(0, ui.get("topology/" + id + "?filter=nowhere").json().get("workers").size());
        assertEquals("sys is 'yes'. Use 1 or 0.", ui.get("topology/" + id + "?sys=yes").json().get("errorMessage").asText());
        assertEquals("wait is 'now'. Use a whole number from 0 to 86400.",
            ui.post("topology/" + id + "/kill/now", "").json().get("errorMessage").asText());
        assertEquals(400, ui.get("supervisor").status());
        assertEquals(405, ui.send("DELETE", "topology/" + id, null).status());
        assertEquals(405, ui.get("topology/" + id + "/kill/0").status());
        assertEquals(413, ui.post("topology/" + id + "/rebalance/0", " ".repeat((1 << 20) + 1)).status());
    }

    @Test
    void shouldNeverFailNorShowAStackTraceWhateverTheAddressHas() throws Exception {
        long seed = 20_251_125;
        Random random = new Random(seed);
        String odd = "abz019%2F%00%C3%BC:.;'\"<>&=+-_~!*()";
        for (int i = 0; i < 200; i++) {
            StringBuilder path = new StringBuilder(random.nextBoolean() ? "topology/" : "topology/" + id + "/");
            for (int j = random.nextInt(12); j > 0; j--) {
                path.append(URLEncoder.encode(String.valueOf(odd.charAt(random.nextInt(odd.length()))), StandardCharsets.UTF_8));
            }
            path.append(random.nextBoolean() ? "?window=" : "?id=").append(URLEncoder.encode(Integer.toHexString(random.nextInt()),
                StandardCharsets.UTF_8));
            HttpResponse<String> response = ui.text(random.nextInt(3) == 0 ? "POST" : "GET", ApiServlet.ROOT + path, null);
            assertTrue(response.statusCode() < 500, response.statusCode() + " for " + path + ", seed " + seed + ": " + response.body());
            assertFalse(response.body().contains("\tat "), response.body());
        }
    }

    @Test
    void shouldDemandTheTokenOfActionsThatABrowserAsksFor() throws Exception {
        String token = ui.get("session").json().get("csrfToken").asText();
        String action = "topology/" + id + "/activate";
        for (String header : List.of("Origin", "Accept-Language", "Referer", "Sec-Fetch-Site")) {
            assertEquals(403, ui.post(action, "", header, "http://evil.example").status(), header);
            assertEquals(200, ui.post(action, "", header, "http://evil.example", CsrfCheck.HEADER, token).status(), header);
        }
        assertEquals(403, ui.post(action, "", CsrfCheck.HEADER, "0").status());
        assertEquals(403, ui.get("topology/" + id + "/profiling/restartworker/a:1", "Accept-Language", "en").status());
        String otherUsers = ui.get("session", "X-Test-User", "bert").json().get("csrfToken").asText();
        assertEquals(403, ui.post(action, "", CsrfCheck.HEADER, otherUsers).status());
    }

    @Test
    void shouldLetNoOtherSiteReadResponses() throws Exception {
        HttpResponse<String> response = ui.get("cluster/summary", "Origin", "http://evil.example").whole();
        assertEquals(200, response.statusCode());
        assertNull(response.headers().firstValue("Access-Control-Allow-Origin").orElse(null));
        assertEquals(405, ui.send("OPTIONS", "topology/" + id + "/activate", null, "Origin", "http://evil.example").status());
        assertEquals("nosniff", response.headers().firstValue("X-Content-Type-Options").orElse(""));
        assertEquals("DENY", response.headers().firstValue("X-Frame-Options").orElse(""));
        assertTrue(response.headers().firstValue("Content-Security-Policy").orElse("").startsWith("default-src 'self'"));
    }

    @Test
    void shouldWrapResponsesInAFunctionOnlyIfThatIsSwitchedOn() throws Exception {
        assertTrue(ui.get("nimbus/summary?callback=show").json().get("errorMessage").asText().contains("ui.jsonp.enabled: true"));
        try (RunningUi wrapping = RunningUi.of(cluster, Map.of("ui.jsonp.enabled", true))) {
            HttpResponse<String> response = wrapping.text("GET", ApiServlet.ROOT + "nimbus/summary?callback=my.show", null);
            assertTrue(response.body().startsWith("my.show({\"nimbuses\":["), response.body());
            assertEquals("application/javascript;charset=utf-8", response.headers().firstValue("Content-Type").orElse(""));
            assertEquals(400, wrapping.get("nimbus/summary?callback=alert(1)").status());
        }
    }

    private static void create(String key, String contents) throws Exception {
        Map<String, Object> conf = new HashMap<>(cluster.getDaemonConf());
        conf.put("nimbus.seeds", List.of("localhost"));
        try (NimbusClient client = NimbusClient.Builder.withConf(conf).build()) {
            String session = client.getClient().beginCreateBlob(key, new SettableBlobMeta(new ArrayList<>()));
            client.getClient().uploadBlobChunk(session, ByteBuffer.wrap(contents.getBytes(StandardCharsets.UTF_8)));
            client.getClient().finishBlobUpload(session);
        }
    }

    private static List<String> texts(JsonNode json, String... fields) {
        return Stream.of(fields).map(field -> json.get(field).asText()).toList();
    }

    /** How many values of a metric the history knows. */
    private static long known(JsonNode history, String metric) {
        long known = 0;
        for (JsonNode value : history.path("metrics").path(metric)) {
            known += value.isNumber() ? 1 : 0;
        }
        return known;
    }

    private static void awaitExecuted(String topology) {
        Awaitility.await().atMost(PATIENCE).until(() -> ui.get("topology/" + topology + "/component/count").json().path("boltStats").path(0)
            .path("executed").asLong() > 0);
    }
}
