package io.eyewall.client.deadline;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.ILocalDRPC;
import org.apache.storm.LocalCluster;
import org.apache.storm.LocalDRPC;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONArray;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.trident.TridentState;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.operation.builtin.MapGet;
import org.apache.storm.trident.testing.FixedBatchSpout;
import org.apache.storm.trident.testing.MemoryMapState;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

/** A Trident topology whose batches and whose DRPC calls have different targets, and meet in the bolt with the state. */
class TridentLanesTest {

    private static final int BATCH = 10;
    private static final int WORDS = 2_000;
    private static final int DIFFERENT = 4;
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    @Test
    void shouldHaveLanesWhereBothMeetAndCountEachWordOnce() throws Exception {
        try (ILocalDRPC calls = new LocalDRPC(); LocalCluster cluster = QuickCluster.of(1)) {
            StormTopology topology = topology(calls);
            String called = topology.get_spouts().keySet().stream().filter(spout -> !spout.startsWith("$mastercoord")).findFirst()
                .orElseThrow();
            OwnConfiguration.set(topology.get_spouts().get(called).get_common(), Map.of(DeadlineConfiguration.TARGET, 20));
            Config conf = new Config();
            conf.put(Config.TOPOLOGY_TRIDENT_BATCH_EMIT_INTERVAL_MILLIS, 1);

            Deadlines deadlines = Deadlines.of(topology, conf, System::nanoTime).orElseThrow();
            assertEquals(2, topology.get_bolts().keySet().stream().filter(deadlines::needsLanes).count(),
                "with lanes: the bolt with the state, and the one behind it");

            cluster.submitTopology("trident", conf, topology);
            AtomicLong before = new AtomicLong();
            await().atMost(DEADLINE).until(() -> {
                long count = count(calls, "word-0");
                assertTrue(count >= before.get(), () -> count + " after " + before);
                before.set(count);
                return count >= WORDS / DIFFERENT;
            });
            for (int word = 0; word < DIFFERENT; word++) {
                assertEquals(WORDS / DIFFERENT, count(calls, "word-" + word));
            }
        }
    }

    private static long count(ILocalDRPC calls, String word) throws Exception {
        JSONArray result = (JSONArray) ((JSONArray) JSONValue.parse(calls.execute("count", word))).get(0);
        return result.get(1) instanceof Number count ? count.longValue() : 0;
    }

    private static StormTopology topology(ILocalDRPC calls) {
        @SuppressWarnings("unchecked") // An array of a generic type.
        List<Object>[] words = IntStream.range(0, WORDS).mapToObj(number -> new Values("word-" + number % DIFFERENT)).toArray(List[]::new);
        TridentTopology trident = new TridentTopology();
        TridentState counts = trident.newStream("words", new FixedBatchSpout(new Fields("word"), BATCH, words))
            .groupBy(new Fields("word")).persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"));
        trident.newDRPCStream("count", calls).groupBy(new Fields("args"))
            .stateQuery(counts, new Fields("args"), new MapGet(), new Fields("count"));
        return trident.build();
    }
}
