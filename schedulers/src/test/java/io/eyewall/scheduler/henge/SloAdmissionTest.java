package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.settings.elasticity.SloAdmission;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Test;

/** What a client reads in the report that the scheduler writes. */
class SloAdmissionTest {

    private static final Map<String, Object> WITH_SLO = Map.of("topology.slo.latency.ms", 50);
    private static final long TEN_MINUTES_MS = 600_000;

    @Test
    void shouldRefuseATopologyWithAnSloWhenThereIsNoRoom() {
        InvalidTopologyException refused =
            assertThrows(InvalidTopologyException.class, () -> submit(WITH_SLO, report(0, "it is full", true)));
        assertEquals("The cluster can hardly meet the SLO of this topology: it is full. Add a machine, lower the SLO of a topology, or set"
            + " topology.slo.latency.ms and the other objectives to 0. nimbus.slo.admission: warn lets it in.", refused.get_msg());
        assertThrows(InvalidTopologyException.class,
            () -> submit(Map.of("topology.slo.juice.min", 0.9, "topology.slo.latency.ms", 0), report(0, "it is full", true)));
    }

    @Test
    void shouldLetItInWhenTheClusterOnlyWarnsOrHasRoomOrHasNotReportedLately() {
        assertDoesNotThrow(() -> submit(WITH_SLO, report(0, "it is full", false)));
        assertDoesNotThrow(() -> submit(WITH_SLO, report(0, "", true)));
        assertDoesNotThrow(() -> submit(WITH_SLO, report(TEN_MINUTES_MS + 1, "it is full", true)));
        assertDoesNotThrow(() -> submit(WITH_SLO, Optional.empty()));
        assertDoesNotThrow(() -> submit(WITH_SLO, Optional.of("no report".getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void shouldNotAskWhenATopologyHasNoSlo() {
        SubmissionTarget unasked = () -> fail("the cluster does not matter");
        assertDoesNotThrow(() -> new SloAdmission().submitting(Map.of("topology.slo.latency.ms", 0), new StormTopology(), unasked,
            new HashMap<>()));
    }

    private static Optional<byte[]> report(long ageMs, String noRoom, boolean refuses) {
        long timeMs = System.currentTimeMillis() - ageMs;
        return Optional.of(new SloReport(timeMs, "nothing is left to do", noRoom, refuses, List.of()).toBytes());
    }

    private static void submit(Map<String, Object> conf, Optional<byte[]> report) throws InvalidTopologyException {
        new SloAdmission().submitting(conf, new StormTopology(), new SubmissionTarget() {
            @Override
            public ClusterSummary summary() {
                return fail("the cluster does not matter");
            }

            @Override
            public Optional<byte[]> blob(String key) {
                assertEquals(SloReport.KEY, key);
                return report;
            }
        }, new HashMap<>());
    }
}
