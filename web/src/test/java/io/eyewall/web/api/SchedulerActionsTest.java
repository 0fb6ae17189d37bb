package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.junit.jupiter.api.Test;

/** The conversation with the schedulers, of which the tests play the other half; HengeSystemTest and UiSystemTest have real ones. */
class SchedulerActionsTest {

    private static final String SHOWN = "01234567-89ab-cdef-0123-456789abcdef";
    private static final String PLAN = "{\"text\":\"more\",\"executors\":{\"count\":3},\"workers\":2,\"undo\":\"u\"}";

    private final Map<String, String> blobs = new HashMap<>();
    private final List<RebalanceOptions> rebalances = new ArrayList<>();
    private String scheduler = "io.eyewall.scheduler.scaling.ElasticityScheduler";
    /** Runs between two polls. */
    private Consumer<String> schedulerRound = key -> { };
    private final SchedulerActions actions = new SchedulerActions(new SchedulerBlobs(), ms -> round());

    @Test
    void shouldApplyThePlanThatWasShown() throws Exception {
        show(PLAN);
        schedulerRound = key -> {
            Map<String, Object> record = record(key);
            if (!record.containsKey("answer")) {
                assertEquals(false, ((Map<?, ?>) record.get("order")).get("dry-run"));
                answer(key, PLAN);
            } else if (!rebalances.isEmpty()) {
                blobs.put("eyewall-scaling-log", "{\"action\":\"other\",\"kind\":\"ABORTED\"}\n{\"action\":\"" + id(key)
                    + "\",\"kind\":\"COMMITTED\",\"text\":\"to host-2\"}\n");
            }
        };

        Map<?, ?> done = (Map<?, ?>) actions.applyPlan(nimbus(), asked(""));

        assertEquals("to host-2", done.get("text"));
        assertEquals(1, rebalances.size());
        assertEquals(Map.of("count", 3), rebalances.get(0).get_num_executors());
        assertEquals(2, rebalances.get(0).get_num_workers());
        assertEquals(0, rebalances.get(0).get_wait_secs());
        assertEquals(List.of("eyewall-scaling-log", "eyewall-scaling-order-" + SHOWN), blobs.keySet().stream().sorted().toList());
    }

    @Test
    void shouldApplyNothingElseThanWhatWasShown() {
        show(PLAN);
        schedulerRound = key -> answer(key, PLAN.replace("3", "4"));
        assertRefused(409, "Ask for a plan again", () -> actions.applyPlan(nimbus(), asked("")));
        schedulerRound = key -> answer(key, "{\"refusal\":\"no free slot\"}");
        assertRefused(409, "no free slot", () -> actions.applyPlan(nimbus(), asked("")));
        schedulerRound = key -> { };
        assertRefused(503, "has not responded for 70 s", () -> actions.applyPlan(nimbus(), asked("")));
        assertEquals(List.of(), rebalances);
        assertEquals(1, blobs.size());
    }

    @Test
    void shouldSayWhyAScalingWasAborted() {
        show(PLAN);
        schedulerRound = key -> {
            answer(key, PLAN);
            blobs.put("eyewall-scaling-log", "{\"action\":\"" + id(key) + "\",\"kind\":\"ABORTED\",\"text\":\"a slot was taken\"}\n");
        };
        assertRefused(409, "a slot was taken", () -> actions.applyPlan(nimbus(), asked("")));
    }

    @Test
    void shouldApplyNoPlanThatIsNotThere() {
        assertRefused(404, "There is no request", () -> actions.applyPlan(nimbus(), asked("")));
        show("{\"refusal\":\"no\"}");
        assertRefused(409, "has no plan", () -> actions.applyPlan(nimbus(), asked("")));
        show(PLAN);
        scheduler = "other";
        assertRefused(409, "The cluster's scheduler is other", () -> actions.applyPlan(nimbus(), asked("")));
    }

    @Test
    void shouldChangeTheServiceLevel() throws Exception {
        scheduler = "io.eyewall.scheduler.henge.HengeScheduler";
        schedulerRound = key -> {
            Map<String, Object> request = record(key);
            if (request.get("progress").equals("WAITING")) {
                assertEquals(Map.of("topology.slo.latency.ms", 50, "topology.slo.latency.percentile", "p99"), request.get("settings"));
                assertEquals("orders", request.get("topology"));
                request.put("progress", "READY");
            } else if (!rebalances.isEmpty()) {
                request.put("progress", "DONE");
                request.put("text", "p99 latency at most 50 ms");
            }
            blobs.put(key, JSONValue.toJSONString(request));
        };
        Map<?, ?> done = (Map<?, ?>) actions.setSlo(nimbus(), asked("{\"latency.ms\": 50, \"latency.percentile\": \"p99\"}"));
        assertEquals("p99 latency at most 50 ms", done.get("slo"));
        assertEquals(1, rebalances.size());
        assertTrue(!rebalances.get(0).is_set_num_workers() && !rebalances.get(0).is_set_num_executors());
        assertEquals(Map.of(), blobs);
    }

    @Test
    void shouldShowWhichServiceLevelsAreMet() throws Exception {
        blobs.put("eyewall-slo-report", "{\"topologies\":[{\"topology\":\"orders\",\"state\":\"met\",\"slo\":\"p99\"},7]}");
        assertEquals(Map.of("scheduler", scheduler, "topologies", List.of()), SchedulerBlobs.slos(nimbus()));
        scheduler = "io.eyewall.scheduler.henge.HengeScheduler";
        assertEquals(Map.of("scheduler", scheduler, "topologies", List.of(Map.of("name", "orders", "state", "met"))),
            SchedulerBlobs.slos(nimbus()));
        blobs.clear();
        assertEquals(Map.of("scheduler", scheduler, "topologies", List.of()), SchedulerBlobs.slos(nimbus()));
    }

    @Test
    void shouldSayWhyTheServiceLevelStaysAsItIs() {
        assertRefused(409, "Set storm.scheduler: io.eyewall.scheduler.henge",
            () -> actions.setSlo(nimbus(), asked("{\"latency.ms\": 50}")));
        scheduler = "io.eyewall.scheduler.henge.HengeScheduler";
        for (String bad : List.of("", "{}", "{\"latency.ms\": null}", "{\"latency.ms\": [1]}", "{\"Latency\": 1}",
            "{\"a\": \"" + "x".repeat(501) + "\"}", "[]", "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,"
            + "\"j\":1,\"k\":1}")) {
            assertRefused(400, "", () -> actions.setSlo(nimbus(), asked(bad)));
        }
        schedulerRound = key -> {
            Map<String, Object> request = record(key);
            request.put("progress", "REFUSED");
            request.put("text", "juice.min is 2");
            blobs.put(key, JSONValue.toJSONString(request));
        };
        assertRefused(409, "juice.min is 2", () -> actions.setSlo(nimbus(), asked("{\"juice.min\": 2}")));
        assertEquals(List.of(), rebalances);
        assertEquals(Map.of(), blobs);
    }

    /** What is expected to throw. */
    private interface Action {

        void run() throws Exception;
    }

    private static void assertRefused(int status, String why, Action action) {
        HttpException refusal = assertThrows(HttpException.class, action::run);
        assertEquals(status, refusal.status(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }

    private static Parameters asked(String body) {
        return new Parameters(Map.of("id", "orders-1-1", "request", SHOWN), Map.of(), body, null);
    }

    private void show(String answer) {
        blobs.put("eyewall-scaling-order-" + SHOWN, "{\"order\":{\"id\":\"" + SHOWN + "\",\"topology\":\"orders\",\"direction\":\"OUT\","
            + "\"machines\":1,\"strategy\":\"etp\",\"dry-run\":true},\"answer\":" + answer + ",\"answered-ms\":1}");
    }

    private void round() {
        blobs.keySet().stream().filter(key -> !key.endsWith(SHOWN) && !key.endsWith("-log")).toList().forEach(schedulerRound);
    }

    private void answer(String key, String answer) {
        Map<String, Object> record = record(key);
        record.put("answer", JSONValue.parse(answer));
        blobs.put(key, JSONValue.toJSONString(record));
    }

    private Map<String, Object> record(String key) {
        Map<String, Object> record = new LinkedHashMap<>();
        ((Map<?, ?>) JSONValue.parse(blobs.get(key))).forEach((name, value) -> record.put((String) name, value));
        return record;
    }

    private static String id(String key) {
        return key.substring("eyewall-scaling-order-".length());
    }

    /** A Nimbus that has blobs, a topology and a configuration. A session's name is its blob's key. */
    private Nimbus.Iface nimbus() {
        Map<String, ByteBuffer> downloads = new HashMap<>();
        return (Nimbus.Iface) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Nimbus.Iface.class},
            (proxy, method, arguments) -> {
                String first = arguments == null ? "" : arguments[0].toString();
                return switch (method.getName()) {
                    case "getTopologySummary" -> new TopologySummary(first, "orders", 1, 1, 1, 1, "ACTIVE");
                    case "getNimbusConf" -> JSONValue.toJSONString(Map.of("storm.scheduler", scheduler, "nimbus.monitor.freq.secs", 5));
                    case "beginCreateBlob" -> first;
                    case "uploadBlobChunk" -> {
                        blobs.put(first, StandardCharsets.UTF_8.decode((ByteBuffer) arguments[1]).toString());
                        yield null;
                    }
                    case "finishBlobUpload" -> null;
                    case "beginBlobDownload" -> {
                        downloads.put(first, bytes(first));
                        yield new BeginDownloadResult(0, first);
                    }
                    case "downloadBlobChunk" -> downloads.put(first, ByteBuffer.allocate(0));
                    case "deleteBlob" -> {
                        present(blobs.remove(first));
                        yield null;
                    }
                    case "rebalance" -> {
                        rebalances.add((RebalanceOptions) arguments[1]);
                        yield null;
                    }
                    default -> throw new IllegalStateException("The test does not expect " + method.getName());
                };
            });
    }

    private ByteBuffer bytes(String key) throws KeyNotFoundException {
        return ByteBuffer.wrap(present(blobs.get(key)).getBytes(StandardCharsets.UTF_8));
    }

    private static String present(String blob) throws KeyNotFoundException {
        if (blob == null) {
            throw new KeyNotFoundException("none");
        }
        return blob;
    }
}
