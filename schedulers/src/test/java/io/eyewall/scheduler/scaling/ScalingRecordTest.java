package io.eyewall.scheduler.scaling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import io.eyewall.elasticity.plan.ScalingStrategy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clients and Nimbus may be of different versions: the keys of blobs and the JSON in them must stay as they are. */
class ScalingRecordTest {

    private static final ScalingRecord REQUESTED =
        ScalingRecord.of(new ScalingRequest("5f0e", "linear", Direction.OUT, 2, ScalingStrategy.LEAST_LINK_LOAD, false));
    private static final String REQUESTED_JSON = "{\"order\":{\"id\":\"5f0e\",\"topology\":\"linear\",\"direction\":\"OUT\",\"machines\":2,"
        + "\"strategy\":\"least-link-load\",\"dry-run\":false}";

    @Test
    void shouldKeepTheKeysOfBlobs() {
        assertEquals("eyewall-scaling-order-5f0e", REQUESTED.key());
        assertEquals("eyewall-scaling-log", ScalingRecord.LOG_KEY);
    }

    @Test
    void shouldKeepTheFormatOfARequest() {
        assertFormat(REQUESTED_JSON + "}", REQUESTED);
    }

    @Test
    void shouldKeepTheFormatOfAPlan() {
        ScalingResponse plan = new ScalingResponse(null, "plan", Map.of("work", 3), 4, "undo");

        assertFormat(REQUESTED_JSON + ",\"answer\":{\"text\":\"plan\",\"executors\":{\"work\":3},\"workers\":4,\"undo\":\"undo\"},"
            + "\"answered-ms\":17}", REQUESTED.withResponse(plan, 17));
    }

    @Test
    void shouldKeepTheFormatOfARefusal() {
        assertFormat(REQUESTED_JSON + ",\"answer\":{\"refusal\":\"too few machines\"},\"answered-ms\":17}",
            REQUESTED.withResponse(ScalingResponse.refused("too few machines"), 17));
    }

    @Test
    void shouldKeepTheFormatOfTheLog() {
        ScalingEvent event = new ScalingEvent(17, "5f0e", "linear", "scale out by 2 (etp)", ScalingEvent.Kind.COMMITTED, "to m3");
        String json = "{\"time-ms\":17,\"action\":\"5f0e\",\"topology\":\"linear\",\"order\":\"scale out by 2 (etp)\","
            + "\"kind\":\"COMMITTED\",\"text\":\"to m3\"}\n";

        assertEquals(json, new String(ScalingRecord.logBytes(List.of(event)), StandardCharsets.UTF_8));
        assertEquals(List.of(event), ScalingRecord.logEvents(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldReportWhatIsNoRequest() {
        for (String contents : List.of("Dear scheduler", "{}", "{\"order\":{\"id\":\"2\",\"direction\":\"UP\"}}")) {
            IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> ScalingRecord.of(contents.getBytes(StandardCharsets.UTF_8)));
            assertTrue(refusal.getMessage().startsWith("it is no scaling request that this version understands: "), refusal.getMessage());
        }
    }

    private static void assertFormat(String json, ScalingRecord record) {
        assertEquals(json, new String(record.toBytes(), StandardCharsets.UTF_8));
        assertEquals(record, ScalingRecord.of(json.getBytes(StandardCharsets.UTF_8)));
    }
}
