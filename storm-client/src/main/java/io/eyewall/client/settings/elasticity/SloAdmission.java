package io.eyewall.client.settings.elasticity;

import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of a topology whose SLO the cluster can hardly meet, or refuses it: the {@code HengeScheduler} reports in a blob whether there is
 * room for another SLO, and which of the two to do. An old report counts as none.
 */
public final class SloAdmission implements TopologySubmission {

    private static final Logger LOG = LoggerFactory.getLogger(SloAdmission.class);

    /** The scheduler's blob; see {@code SloReport}, which writes it. */
    private static final String REPORT = "eyewall-slo-report";
    private static final List<String> OBJECTIVES =
        List.of("topology.slo.latency.ms", "topology.slo.juice.min", "topology.slo.throughput.min");
    private static final String REFUSE = "refuse";
    private static final long OLD_MS = TimeUnit.MINUTES.toMillis(10);

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) throws InvalidTopologyException {
        if (OBJECTIVES.stream().noneMatch(key -> clientConf.get(key) instanceof Number objective && objective.doubleValue() > 0)) {
            return;
        }
        Map<?, ?> report = cluster.blob(REPORT).map(SloAdmission::parse).orElse(Map.of());
        if (!(report.get("no-room") instanceof String why) || !(report.get("time-ms") instanceof Number timeMs)
                || Time.currentTimeMillis() - timeMs.longValue() > OLD_MS) {
            return;
        }
        String message = "The cluster can hardly meet the SLO of this topology: " + why + ". Add a machine, lower the SLO of a topology, or"
            + " set " + OBJECTIVES.get(0) + " and the other objectives to 0.";
        if (REFUSE.equals(report.get("admission"))) {
            throw new InvalidTopologyException(message + " nimbus.slo.admission: warn lets it in.");
        }
        LOG.warn(message);
    }

    private static Map<?, ?> parse(byte[] report) {
        return JSONValue.parse(new String(report, StandardCharsets.UTF_8)) instanceof Map<?, ?> map ? map : Map.of();
    }
}
