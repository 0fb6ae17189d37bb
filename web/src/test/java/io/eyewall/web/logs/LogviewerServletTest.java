package io.eyewall.web.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyewall.client.time.NanoClock;
import io.eyewall.web.profile.SampledWork;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogviewerServletTest {

    private static final String LOG = "log?file=" + RunningLogviewer.MINE + "worker.log";
    private static final String DOWNLOAD = "download?file=" + RunningLogviewer.MINE + "worker.log";
    private static final String SEARCH = "search?file=" + RunningLogviewer.MINE + "worker.log&search-string=";

    @TempDir
    private static Path directory;
    private static RunningLogviewer viewer;

    @BeforeAll
    static void start() throws Exception {
        viewer = new RunningLogviewer(directory, NanoClock.SYSTEM, Map.of());
        Files.setLastModifiedTime(viewer.workers.resolve(RunningLogviewer.MINE + "worker.log.1.gz"), FileTime.fromMillis(1));
        RunningLogviewer.write(viewer.workers.resolve("broken-3-3/6702/worker.log.1.gz.txt"), "");
        Files.writeString(viewer.workers.resolve("broken-3-3/6702/worker.log.1.gz"), "not compressed");
    }

    @AfterAll
    static void end() {
        viewer.close();
    }

    @Test
    void shouldShowALogWithoutItsMarkup() throws Exception {
        HttpResponse<String> response = viewer.get(LOG);
        assertEquals(200, response.statusCode());
        assertTrue(response.body().contains("one line\ntwo &lt;b&gt;lines&lt;/b&gt;"), response.body());
        assertTrue(response.body().contains("href=\"/api/v1/log?file=mine-1-1%2F6700%2Fworker.log.1.gz\""), response.body());
        assertTrue(viewer.get("log?file=" + RunningLogviewer.MINE + "worker.log.1.gz").body().contains("an old line"));
        assertTrue(viewer.get("daemonlog?file=nimbus.log").body().contains("nimbus has started"));
    }

    @Test
    void shouldShowAPartOfALogAndTheLinesThatMatter() throws Exception {
        String part = viewer.get(LOG + "&start=4&length=4").body();
        assertTrue(part.contains("<pre>line</pre>"), part);
        String found = viewer.get(LOG + "&grep=one").body();
        assertTrue(found.contains("<pre>one line</pre>"), found);
    }

    @Test
    void shouldListWhatThereIs() throws Exception {
        assertEquals(List.of("mine-1-1/6700/recording.jfr", "mine-1-1/6700/worker.log", "mine-1-1/6700/worker.log.1.gz",
            "mine-1-1/6700/worker.yaml"), names("listLogs?topoId=mine-1-1"));
        assertEquals(names("listLogs?port=6701"), names("searchLogs?topoId=others-2-2"));
        assertEquals(List.of(), names("listLogs?topoId=none"));
        String overview = viewer.send("GET", "/").body();
        assertTrue(overview.contains(">nimbus.log</a>") && overview.contains("others-2-2, port 6701"), overview);
        assertEquals(200, viewer.send("GET", "/style.css").statusCode());
    }

    @Test
    void shouldHandOutAFileAndPartsOfIt() throws Exception {
        HttpResponse<String> whole = viewer.get(DOWNLOAD);
        assertEquals("one line\ntwo <b>lines</b>\n", whole.body());
        assertEquals("attachment; filename=\"mine-1-1-6700-worker.log\"", whole.headers().firstValue("Content-Disposition").orElse(""));
        Map<String, String> parts = Map.of("bytes=0-2", "one", "bytes=19-", "es</b>\n", "bytes=-4", "/b>\n", "bytes=-999", whole.body());
        for (Map.Entry<String, String> part : parts.entrySet()) {
            HttpResponse<String> response = viewer.get(DOWNLOAD, "Range", part.getKey());
            assertEquals(206, response.statusCode(), part.getKey());
            assertEquals(part.getValue(), response.body(), part.getKey());
        }
        assertEquals("bytes 0-2/26", viewer.get(DOWNLOAD, "Range", "bytes=0-2").headers().firstValue("Content-Range").orElse(""));
        assertEquals(416, viewer.get(DOWNLOAD, "Range", "bytes=26-").statusCode());
        assertEquals(200, viewer.get(DOWNLOAD, "Range", "lines=1-2").statusCode());
        assertEquals("nimbus has started\n", viewer.get("daemondownload?file=nimbus.log").body());
    }

    @Test
    void shouldFindATextInALog() throws Exception {
        JsonNode found = viewer.json(SEARCH + "line&num-matches=1");
        assertEquals("no", found.get("isDaemon").asText());
        assertEquals("line", found.get("searchString").asText());
        assertEquals(0, found.get("startByteOffset").asLong());
        assertEquals(8, found.get("nextByteOffset").asLong());
        JsonNode match = found.get("matches").get(0);
        assertEquals(4, match.get("byteOffset").asLong());
        assertEquals("one ", match.get("beforeString").asText());
        assertEquals("\ntwo <b>lines</b>\n", match.get("afterString").asText());
        assertEquals("line", match.get("matchString").asText());
        assertEquals(viewer.address() + "/api/v1/log?file=mine-1-1%2F6700%2Fworker.log&start=0&length=51200",
            match.get("logviewerURL").asText());

        JsonNode next = viewer.json(SEARCH + "line&start-byte-offset=8");
        assertEquals(16, next.get("matches").get(0).get("byteOffset").asLong());
        assertFalse(next.has("nextByteOffset"));
        JsonNode daemon = viewer.json("search?file=nimbus.log&is-daemon=yes&search-string=started");
        assertEquals("yes", daemon.get("isDaemon").asText());
        assertTrue(daemon.get("matches").get(0).get("logviewerURL").asText().contains("/api/v1/daemonlog?file=nimbus.log"));
    }

    @Test
    void shouldFindATextInAllLogsOfATopology() throws Exception {
        JsonNode all = viewer.json("deepSearch/mine-1-1?search-string=line&search-archived=on");
        assertEquals(1, all.size());
        assertEquals(3, all.get(0).get("matches").size());
        JsonNode old = all.get(0).get("matches").get(2);
        assertEquals("mine-1-1/6700/worker.log.1.gz", old.get("fileName").asText());
        assertEquals("6700", old.get("port").asText());
        assertEquals(1, all.get(0).get("fileOffset").asInt());

        JsonNode one = viewer.json("deepSearch/mine-1-1?search-string=line&port=6700");
        assertEquals(2, one.get("matches").size());
        assertEquals("line", one.get("searchString").asText());
        JsonNode rest = viewer.json("deepSearch/mine-1-1?search-string=line&port=6700&search-archived=yes&start-file-offset=1");
        assertEquals(1, rest.get("matches").size());
        assertEquals("[]", viewer.get("deepSearch/none?search-string=line").body());
    }

    @Test
    void shouldBoundTheMatchesOfAllWorkers() throws Exception {
        for (int port = 7_000; port < 7_011; port++) {
            RunningLogviewer.write(viewer.workers.resolve("many-5-5/" + port + "/worker.log"), "line ".repeat(1_100));
        }
        JsonNode found = viewer.json("deepSearch/many-5-5?search-string=line&num-matches=1024");
        assertEquals(11, found.size());
        assertEquals((1 << 20) / 604, found.valueStream().mapToInt(worker -> worker.get("matches").size()).sum());
        assertEquals(0, found.get(10).get("matches").size());
        assertEquals(0, found.get(10).get("nextByteOffset").asLong());
    }

    @Test
    void shouldBoundWhatTheMatchesOfALongTextTakeInMemory() throws Exception {
        String wanted = "y".repeat(1_024);
        RunningLogviewer.write(viewer.workers.resolve("long-6-6/6706/worker.log"), wanted.repeat(1_100));
        JsonNode found = viewer.json("search?file=long-6-6/6706/worker.log&num-matches=1024&search-string=" + wanted);
        assertEquals((1 << 20) / 1_624, found.get("matches").size());
        assertTrue(found.get("nextByteOffset").asLong() > 0);
    }

    @Test
    void shouldLinkToTheNextPartOnlyWhereThereIsOne() throws Exception {
        assertTrue(viewer.get(LOG + "&start=0&length=25").body().contains("start=25\">Next</a>"));
        assertFalse(viewer.get(LOG + "&start=0&length=26").body().contains(">Next</a>"));
        assertFalse(viewer.get(LOG).body().contains(">Next</a>"));
        String compressed = "log?file=" + RunningLogviewer.MINE + "worker.log.1.gz";
        assertTrue(viewer.get(compressed + "&length=11").body().contains("start=11\">Next</a>"));
        assertFalse(viewer.get(compressed + "&length=12").body().contains(">Next</a>"));
    }

    @Test
    void shouldListNoMoreThanItsMemoryHolds() throws Exception {
        AtomicLong nowNs = new AtomicLong();
        try (RunningLogviewer slow = new RunningLogviewer(directory.resolve("lists"), () -> nowNs.addAndGet(11_000_000_000L), Map.of())) {
            HttpResponse<String> refused = slow.get("listLogs");
            assertEquals(503, refused.statusCode());
            assertTrue(refused.body().contains("Add ?topoId=TOPOLOGY-ID"), refused.body());
            assertTrue(slow.send("GET", "/").body().contains("There are more logs than this page can show"));
        }
    }

    @Test
    void shouldSayWhereToGoOnWhenASearchTakesTooLong() throws Exception {
        AtomicLong nowNs = new AtomicLong();
        try (RunningLogviewer slow = new RunningLogviewer(directory.resolve("slow"), () -> nowNs.addAndGet(11_000_000_000L), Map.of())) {
            JsonNode found = slow.json(SEARCH + "line&start-byte-offset=3");
            assertEquals(0, found.get("matches").size());
            assertEquals(3, found.get("nextByteOffset").asLong());
        }
    }

    @Test
    void shouldListAndHandOutDumps() throws Exception {
        String page = viewer.get("dumps/mine-1-1/here:6700").body();
        assertTrue(page.contains("href=\"/api/v1/dumps/mine-1-1/here%3A6700/recording.jfr\""), page);
        assertFalse(page.contains("worker.log"), page);
        assertEquals("FLR", viewer.get("dumps/mine-1-1/here:6700/recording.jfr").body());
        assertEquals(404, viewer.get("dumps/mine-1-1/here:6700/worker.log").statusCode());
    }

    @Test
    void shouldDrawARecordingAsAPageThatMayDoNothingElse() throws Exception {
        Map<String, Object> settings = Map.of("logviewer.allowed.origins", List.of("https://storm.example.org"));
        try (RunningLogviewer recorded = new RunningLogviewer(directory.resolve("recorded"), NanoClock.SYSTEM, settings)) {
            SampledWork.record(recorded.workers.resolve(RunningLogviewer.MINE + "flight.jfr"), "split");
            assertTrue(recorded.get("dumps/mine-1-1/here:6700").body()
                .contains("href=\"/api/v1/flame-graph/mine-1-1/here%3A6700/flight.jfr\""));
            HttpResponse<String> page = recorded.get("flame-graph/mine-1-1/here:6700/flight.jfr");
            assertEquals(200, page.statusCode(), page.body());
            assertTrue(page.body().contains("spinUntil") && page.body().contains("mine-1-1/6700/flight.jfr"), page.body());
            String graph = "flame-graph/mine-1-1/here:6700/flight.jfr?thread=split%5B3-3%5D&event=";
            assertTrue(recorded.get(graph + "alloc").body().contains("byte[]"));
            assertTrue(recorded.get(graph + "lock").body().contains("mine-1-1/6700/flight.jfr, split[3-3]. Time that threads waited"));
            HttpResponse<String> nothing = recorded.get(graph + "wall");
            assertEquals(422, nothing.statusCode());
            assertEquals(Optional.empty(), nothing.headers().firstValue("X-Frame-Options"), "The frame must show what is wrong.");
            assertTrue(nothing.body().contains("There is nothing to draw: there are no wall-clock samples in a thread of split[3-3]. Only"),
                nothing.body());
            String policy = page.headers().firstValue("Content-Security-Policy").orElse("");
            assertTrue(policy.startsWith("sandbox allow-scripts; default-src 'none'; "), policy);
            assertTrue(policy.contains("frame-ancestors") && policy.contains(" https://storm.example.org"), policy);
            assertEquals(Optional.empty(), page.headers().firstValue("X-Frame-Options"));
        }
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        Map<String, String> refusals = new LinkedHashMap<>();
        refusals.put("log", "400 file is missing");
        refusals.put("log?file=worker.log", "400 file is &#39;worker.log&#39;. Use TOPOLOGY-ID/PORT/FILE");
        refusals.put("log?file=mine-1-1/6700/none.log", "404 There is no log");
        refusals.put("log?file=mine-1-1/99999/worker.log", "404 No worker of the topology");
        refusals.put("log?file=mine-1-1/port/worker.log", "400 port is");
        refusals.put(LOG + "&length=0", "400 length is");
        refusals.put(LOG + "&length=1048577", "400 length is");
        refusals.put(LOG + "&start=x", "400 start is");
        refusals.put(LOG + "&start=-1", "400 start is");
        refusals.put(LOG + "&start=99999", "400 start is 99999, which is behind the end");
        refusals.put("log?file=broken-3-3/6702/worker.log.1.gz", "422 The file is not complete");
        refusals.put("daemonlog?file=none.log", "404 There is no log");
        refusals.put("search?file=mine-1-1/6700/worker.log", "400 search-string is missing");
        refusals.put(SEARCH + "x".repeat(1_025), "400 search-string is");
        refusals.put(SEARCH + "x&num-matches=0", "400 num-matches is");
        refusals.put(SEARCH + "x&num-matches=1025", "400 num-matches is");
        refusals.put(SEARCH + "x&is-daemon=perhaps", "400 is-daemon is");
        refusals.put("deepSearch/mine-1-1?search-string=x&port=none", "400 port is");
        refusals.put("deepSearch/mine-1-1?search-string=x&start-file-offset=-1", "400 start-file-offset is");
        refusals.put("dumps/mine-1-1/6700", "400 The worker is");
        refusals.put("flame-graph/mine-1-1/h:6700/recording.jfr", "422 The file is not a whole recording");
        refusals.put("flame-graph/mine-1-1/h:6700/recording.jfr?event=heat",
            "400 event is &#39;heat&#39;. Use one of cpu, wall, lock, alloc.");
        refusals.put("flame-graph/mine-1-1/h:6700/recording.jfr?thread=" + "x".repeat(301), "400 thread is not a component");
        refusals.put("flame-graph/mine-1-1/h:6700/recording.jfr?thread=%0a", "400 thread is not a component");
        refusals.put("flame-graph/mine-1-1/h:6700/worker.log", "404 This is not a recording");
        refusals.put("flame-graph/mine-1-1/h:6700/none.jfr", "404 There is no log");
        refusals.put("listLogs?port=x", "400 port is");
        refusals.put("nothing", "404 There is no such address");
        for (Map.Entry<String, String> refusal : refusals.entrySet()) {
            HttpResponse<String> response = viewer.get(refusal.getKey());
            String[] expected = refusal.getValue().split(" ", 2);
            assertEquals(Integer.parseInt(expected[0]), response.statusCode(), refusal.getKey());
            assertTrue(response.body().contains(expected[1]), refusal.getKey() + ": " + response.body());
        }
        assertEquals(405, viewer.send("POST", "/api/v1/listLogs").statusCode());
        assertEquals("[]", viewer.json("deepSearch/broken-3-3?search-string=x&search-archived=1").get(0).get("matches").toString());
    }

    @Test
    void shouldNeverFailWhateverItIsAskedFor() throws Exception {
        long seed = 5;
        Random random = new Random(seed);
        List<String> names = List.of("log", "daemonlog", "download", "daemondownload", "listLogs", "searchLogs", "search",
            "deepSearch/mine-1-1", "deepSearch", "dumps/mine-1-1/h:6700", "dumps/mine-1-1/h:6700/recording.jfr", "");
        List<String> keys = List.of("file", "start", "length", "grep", "topoId", "port", "search-string", "num-matches",
            "start-byte-offset", "is-daemon", "start-file-offset", "search-archived", "callback");
        List<String> values = List.of("", "0", "-1", "1", "99999999999999999999", "mine-1-1/6700/worker.log", "../nimbus.log", "nimbus.log",
            "..", "%00", "\u0000", "/etc/passwd", "*", "yes", "line", "mine-1-1", "6700", "ü\ud83d", "<script>", "a\\b",
            "mine-1-1//worker.log");
        for (int i = 0; i < 2_000; i++) {
            StringBuilder path = new StringBuilder(names.get(random.nextInt(names.size()))).append("?");
            for (int pairs = random.nextInt(5); pairs > 0; pairs--) {
                path.append(keys.get(random.nextInt(keys.size()))).append('=')
                    .append(URLEncoder.encode(values.get(random.nextInt(values.size())), StandardCharsets.UTF_8)).append('&');
            }
            HttpResponse<String> response = viewer.get(path.toString());
            assertTrue(response.statusCode() < 500, response.statusCode() + " for " + path + ", seed " + seed + ": " + response.body());
            assertFalse(response.body().contains("\tat "), response.body());
        }
    }

    private static List<String> names(String path) throws Exception {
        return viewer.json(path).valueStream().map(JsonNode::asText).toList();
    }
}
