package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.core.watch.TopologyPages;
import io.eyewall.core.watch.WorkerAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyAddressTest {

    private static final WorkerAddress WORKER = new WorkerAddress("host-1", 6700);

    @Test
    void shouldNameTheSlowestPartOfTheWay() {
        JsonNode json = json(Map.of(), Map.of("execute/price/5/orders:default", histogram(2_000_000, 2_000_000),
            "receive-queue-wait/price/5/orders:default", histogram(1_000_000), "end-to-end/price/5/orders:default", histogram(9_000_000)));

        assertEquals(3, json.get("hops").size());
        JsonNode slowest = json.get("slowest");
        assertEquals("execute orders default price true 2", slowest.get("hop").asText() + " " + slowest.get("from").asText() + " "
            + slowest.get("stream").asText() + " " + slowest.get("to").asText() + " " + slowest.get("part") + " " + slowest.get("count"));
        assertEquals(2, slowest.get("percentilesMs").get("50").asDouble(), 0.01);
        assertEquals(2, slowest.get("percentilesMs").get("99.9").asDouble(), 0.01);
    }

    @Test
    void shouldBeginAMinuteAgoWhileSomebodyAsks() {
        List<LatencyAddress.Reading> kept = List.of();
        long begunMs = 0;
        for (long nowMs = 0; nowMs <= 600_000; nowMs += 10_000) {
            LatencyAddress.Reading begin = LatencyAddress.begin(kept, nowMs);
            assertEquals(nowMs >= 60_000, begin != null);
            if (begin != null) {
                begunMs = begin.timeMs();
                assertTrue(nowMs - begunMs >= 60_000 && nowMs - begunMs < 80_000, "at " + nowMs + " since " + begunMs);
            }
            kept = LatencyAddress.kept(kept, new LatencyAddress.Reading(nowMs, new TreeMap<>()));
            assertTrue(kept.size() <= 5, kept::toString);
        }
        assertEquals(540_000, begunMs);
    }

    @Test
    void shouldShowNothingWhereNothingHappened() {
        Map<String, String> same = Map.of("execute/price/5/orders:default", histogram(2_000_000));
        JsonNode json = json(same, same);
        assertEquals(0, json.get("hops").size());
        assertTrue(json.get("slowest").isNull());
    }

    @Test
    void shouldLeaveOutAWorkerWhoseFiguresCannotBeRead() {
        JsonNode json = json(Map.of(), Map.of("execute/price/5/orders:default", "AAAA"));
        assertEquals("it returned a histogram that cannot be read", json.get("silentWorkers").get("host-1:6700").asText());
    }

    private static JsonNode json(Map<String, String> before, Map<String, String> now) {
        return new ObjectMapper().valueToTree(LatencyAddress.hops(new TreeMap<>(Map.of(WORKER, before)),
            new TopologyPages.Reading<>("", new TreeMap<>(), new TreeMap<>(Map.of(WORKER, now)))));
    }

    private static String histogram(long... values) {
        Histogram histogram = new Histogram(3);
        Arrays.stream(values).forEach(histogram::recordValue);
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
