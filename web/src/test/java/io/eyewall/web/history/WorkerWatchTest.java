package io.eyewall.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.WorkerSummary;
import org.junit.jupiter.api.Test;

class WorkerWatchTest {

    private static final String ID = "orders-1-1763990000";

    private final Map<String, CompletableFuture<String>> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private String queues = "";
    private final WorkerWatch watch = new WorkerWatch((host, port, page) -> {
        if (page.equals("/queues")) {
            return CompletableFuture.completedFuture(queues);
        }
        asked.add(host + ":" + port + page);
        return answers.computeIfAbsent(host, each -> new CompletableFuture<>());
    });

    @Test
    void shouldShowWhatWasAnsweredSinceTheLookBefore() {
        assertTrue(look("{}", "a", "b").jvms().isEmpty());
        assertEquals(List.of("a:16700/worker", "b:16700/worker"), asked);
        answer("a", 1_000, "9\t10\t500\t100", 1_000_000);
        WorkerWatch.Seen first = look("{}", "a", "b");
        assertEquals(Map.of("a:6700", new Sample.Jvm(9, 10, Double.NaN, Double.NaN)), first.jvms());
        assertNull(first.latencies(), "they are those since the worker started");
        assertEquals(3, asked.size(), "b has not answered yet");

        answer("a", 11_000, "8\t10\t5500\t1100", 1_000_000, 3_000_000, 3_000_000);
        WorkerWatch.Seen second = look("{}", "a", "b");
        assertEquals(Map.of("a:6700", new Sample.Jvm(8, 10, 0.5, 0.1)), second.jvms());
        assertEquals(3, second.latencies().p50Ms(), 0.01);
        assertEquals(Map.of(23, 2L), second.latencies().counts());

        answer("a", 21_000, "1\t10\t50\t0", 2_000_000);
        WorkerWatch.Seen restarted = look("{}", "a", "b");
        assertEquals(Map.of("a:6700", new Sample.Jvm(1, 10, Double.NaN, Double.NaN)), restarted.jvms());
        assertEquals(2, restarted.latencies().p50Ms(), 0.01);
    }

    @Test
    void shouldLeaveOutWhoAnswersSomethingElseOrNothing() {
        look("{}", "a", "b", "c");
        answers.remove("a").complete("");
        answers.remove("b").completeExceptionally(new IllegalStateException("away"));
        answers.remove("c").complete("eyewall-worker 1 " + ID + " 1000\n1\t2\t3\n");
        assertTrue(look("{}", "a", "b", "c").jvms().isEmpty());
        assertEquals(6, asked.size());
    }

    @Test
    void shouldShowTheFullestQueueOfEachComponent() {
        queues = "eyewall-queues 1 " + ID + " 1000\ncount\t1\t1\t0.5\t0\t0\ncount\t2\t1\t0.25\t0\t5000\nwords\t3\t1\t1.0\t9\t20000\n"
            + "__acker\t4\t1\t0.0\t0\t0\n";
        look("{}", "a");
        assertEquals(Map.of("count", new Sample.Queue(0.5, 0.5), "words", new Sample.Queue(1, 1)), look("{}", "a").queues());
        queues = "eyewall-queues 1 other-1-1 1000\ncount\t1\t1\t0.5\t0\t0\n";
        answers.remove("a").complete("");
        look("{}", "a");
        assertTrue(look("{}", "a").queues().isEmpty());
    }

    @Test
    void shouldAskNobodyWhereWorkersServeNothing() {
        look("{\"topology.latency.endpoint.port.offset\": 0}", "a");
        assertEquals(List.of(), asked);
    }

    private WorkerWatch.Seen look(String configuration, String... hosts) {
        watch.begin(Set.of(ID));
        TopologyPageInfo page = new TopologyPageInfo(ID);
        page.set_topology_conf(configuration);
        page.set_workers(Arrays.stream(hosts).map(host -> {
            WorkerSummary worker = new WorkerSummary();
            worker.set_host(host);
            worker.set_port(6700);
            return worker;
        }).toList());
        return watch.look(page);
    }

    private void answer(String host, long timeMs, String jvm, long... completeNs) {
        Histogram histogram = new Histogram(3);
        Arrays.stream(completeNs).forEach(histogram::recordValue);
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        String text = Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
        answers.remove(host).complete("eyewall-worker 1 " + ID + " " + timeMs + "\n" + jvm + "\ncomplete\twords\t" + text + "\n");
    }
}
