package io.eyewall.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplerTest {

    private static final long START = 1_764_028_800;
    private static final long DAY = 86_400;

    @TempDir
    Path directory;
    private HistoryStore store;
    private final FakePages pages = new FakePages();
    private long nowSecs = START;
    private final InstantSource clock = () -> Instant.ofEpochSecond(nowSecs);
    private Sampler sampler;
    private final EventLog events = new EventLog(0);

    /** Topologies of which some cannot be described. */
    private static final class FakePages implements Pages {

        private final List<String> topologies = new ArrayList<>(List.of("a", "b", "c", "d", "e"));
        private final Map<String, TException> failures = new HashMap<>();
        private final List<String> asked = new ArrayList<>();
        private final Map<String, String> blobs = new HashMap<>();
        private int disconnections;
        private int workers = 1;
        private boolean away;

        @Override
        public List<TopologySummary> topologies() throws TException {
            if (away) {
                throw new TTransportException("Nimbus is away");
            }
            return topologies.stream().map(id -> new TopologySummary(id, id, 0, 0, 0, 0, "ACTIVE")).toList();
        }

        @Override
        public TopologyPageInfo page(String id) throws TException {
            asked.add(id);
            if (failures.containsKey(id)) {
                throw failures.get(id);
            }
            TopologyPageInfo page = new TopologyPageInfo(id);
            page.set_id_to_spout_agg_stats(Map.of());
            page.set_id_to_bolt_agg_stats(Map.of());
            page.set_topology_conf("{}");
            page.set_status("ACTIVE");
            page.set_num_workers(workers);
            return page;
        }

        @Override
        public Optional<String> blob(String key) {
            return Optional.ofNullable(blobs.get(key));
        }

        @Override
        public boolean hasOwnScheduler() {
            return true;
        }

        @Override
        public void disconnect() {
            disconnections++;
        }
    }

    @BeforeEach
    void open() throws Exception {
        store = HistoryStore.open(directory, 1L << 30);
        sampler = new Sampler(pages, store, 60, clock, new WorkerWatch((host, port, page) -> new CompletableFuture<>()), events);
    }

    @AfterEach
    void close() {
        sampler.close();
        store.close();
    }

    @Test
    void shouldTakeSamplesOfTheOthersWhenNimbusCannotDescribeOneTopology() throws Exception {
        pages.failures.put("b", new TApplicationException("Internal error processing getTopologyPageInfo"));
        sampler.round();
        assertEquals(List.of("a", "c", "d", "e"), sampled());
        assertEquals(0, pages.disconnections);
    }

    @Test
    void shouldConnectAgainWhenATopologyBreaksTheConnectionAndAskAboutItLast() throws Exception {
        pages.failures.put("b", new TTransportException("Frame size larger than max length"));
        sampler.round();
        assertEquals(List.of("a", "c", "d", "e"), sampled());
        assertEquals(1, pages.disconnections);
        pages.asked.clear();
        sampler.round();
        assertEquals(List.of("a", "c", "d", "e", "b"), pages.asked);
    }

    @Test
    void shouldEndTheRoundWhenTheConnectionBreaksAgainAndAgain() {
        pages.topologies.forEach(id -> pages.failures.put(id, new TTransportException("Connection reset")));
        sampler.round();
        assertEquals(List.of("a", "b", "c"), pages.asked);
    }

    @Test
    void shouldLogWhatHappens() throws Exception {
        pages.blobs.put("eyewall-scaling-log", "{\"time-ms\": 1, \"topology\": \"a\", \"kind\": \"COMMITTED\", \"text\": \"old\"}\n");
        sampler.round();
        pages.workers = 2;
        pages.blobs.put("eyewall-scaling-log", pages.blobs.get("eyewall-scaling-log")
            + "{\"time-ms\": 2, \"topology\": \"a\", \"kind\": \"MEASURED\", \"text\": \"measured\"}\n"
            + "{\"time-ms\": 3, \"topology\": \"a\", \"kind\": \"COMMITTED\", \"text\": \"one more\"}\n");
        pages.blobs.put("eyewall-slo-report", "{\"topologies\": [{\"topology\": \"b\", \"slo\": \"50 ms\", \"state\": \"missed\"}]}");
        nowSecs += 10;
        sampler.round();

        assertEquals(List.of(new Event("change", "workers: 1 to 2"), new Event("scaling", "one more")), logged("a", 0));
        assertEquals(List.of(new Event("change", "workers: 1 to 2"), new Event("slo", "service level: 50 ms"),
            new Event("slo", "service level is missed")), logged("b", 0));
        assertEquals(List.of(), logged("b", events.last()));
        assertEquals(List.of(new Event("scaling", "one more")), store.newest("a", nowSecs).orElseThrow().events());
        for (int secs = 40; secs < 60; secs += 10) {
            pages.blobs.put("eyewall-slo-report", "{\"topologies\": [{\"topology\": \"b\", \"slo\": \"50 ms\", \"state\": "
                + "\"left alone: a worker has not reported for " + secs + " s\"}]}");
            sampler.round();
        }
        assertEquals(List.of(new Event("slo", "service level is left alone: a worker has not reported for 40 s")),
            logged("b", 0).subList(3, logged("b", 0).size()), "other numbers are no news");
        pages.topologies.remove("a");
        sampler.round();
        assertEquals(List.of(), logged("a", 0), "it does not run any more");
    }

    private List<Event> logged(String id, long number) {
        return events.after(id, number).stream().map(EventLog.Numbered::event).toList();
    }

    @Test
    void shouldRemoveWhatIsTooOldWhileNimbusIsAway() throws Exception {
        sampler.round();
        assertEquals(5, sampled().size());
        pages.away = true;
        nowSecs += 32 * DAY;
        sampler.round();
        List<Sample> left = new ArrayList<>();
        store.read(Tier.COARSE, "a", START - DAY, START + DAY, left::add);
        assertEquals(List.of(), left);
    }

    @Test
    void shouldLeaveOutTheRoundsWhoseTimeHasPassed() {
        long startMs = START * 1_000;
        assertEquals(startMs + 10_000, Sampler.nextMs(startMs, startMs + 300));
        assertEquals(startMs + 10_000, Sampler.nextMs(startMs - 3, startMs - 1), "a timer that is a little early");
        assertEquals(startMs + 60_000, Sampler.nextMs(startMs, startMs + 50_001), "a stall");
        assertEquals(startMs + 20_000, Sampler.nextMs(startMs + 4, startMs + 20_000));
        assertTrue(Sampler.nextMs(startMs, startMs + 10_001) > startMs + 10_001);
    }

    private List<String> sampled() {
        return Stream.of("a", "b", "c", "d", "e").filter(this::isSampled).toList();
    }

    private boolean isSampled(String id) {
        try {
            return store.newest(id, nowSecs).isPresent();
        } catch (org.rocksdb.RocksDBException e) {
            throw new AssertionError(e);
        }
    }
}
