package io.eyewall.client.settings.elasticity;

import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of a topology whose SLO the cluster can hardly meet, or refuses it. The {@code HengeScheduler} reports in a blob whether there is
 * room for another SLO, how many cores are free, how many each topology kept busy when it last ran, and whether to warn or to refuse. A
 * topology that has not run needs what its components declare. The memory of its executors is compared with what the Supervisors
 * have left. An old report counts as none, and what is not known is no obstacle.
 */
public final class SloAdmission implements TopologySubmission {

    private static final Logger LOG = LoggerFactory.getLogger(SloAdmission.class);

    /** The scheduler's blob; see {@code SloReport}, which writes it. */
    private static final String REPORT = "eyewall-slo-report";
    private static final List<String> OBJECTIVES =
        List.of("topology.slo.latency.ms", "topology.slo.juice.min", "topology.slo.throughput.min");
    private static final List<String> MEMORY =
        List.of(Config.TOPOLOGY_COMPONENT_RESOURCES_ONHEAP_MEMORY_MB, Config.TOPOLOGY_COMPONENT_RESOURCES_OFFHEAP_MEMORY_MB);
    private static final String REFUSE = "refuse";
    private static final long OLD_MS = TimeUnit.MINUTES.toMillis(10);
    private static final double PERCENT = 100;

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) throws InvalidTopologyException {
        if (OBJECTIVES.stream().noneMatch(key -> clientConf.get(key) instanceof Number objective && objective.doubleValue() > 0)) {
            return;
        }
        Map<?, ?> report = cluster.blob(REPORT).map(SloAdmission::parse).orElse(Map.of());
        if (!(report.get("time-ms") instanceof Number timeMs) || Time.currentTimeMillis() - timeMs.longValue() > OLD_MS) {
            admitUnknown("no HengeScheduler has reported in the last ten minutes");
            return;
        }
        String obstacle = report.get("no-room") instanceof String why ? why
            : shortage(report, clientConf.get(Config.TOPOLOGY_NAME), declaredCores(clientConf, topology, topologyConf));
        if (obstacle == null) {
            obstacle = memoryShortage(cluster.summary(), clientConf, topology);
        }
        if (obstacle == null) {
            return;
        }
        String message = "The cluster can hardly meet the SLO of this topology: " + obstacle + ". Add a machine, lower the SLO of a"
            + " topology, or set " + OBJECTIVES.get(0) + " and the other objectives to 0.";
        if (REFUSE.equals(report.get("admission"))) {
            throw new InvalidTopologyException(message + " nimbus.slo.admission: warn lets it in.");
        }
        LOG.warn(message);
    }

    /** Why the free cores are too few; null if they suffice or if that is not known. */
    private static String shortage(Map<?, ?> report, Object name, OptionalDouble declared) {
        boolean hasRun = report.get("busy-cores") instanceof Map<?, ?> all && all.get(name) instanceof Number;
        double earlier = hasRun ? ((Number) ((Map<?, ?>) report.get("busy-cores")).get(name)).doubleValue() : 0;
        if (!hasRun && declared.isEmpty()) {
            admitUnknown("it has not run here under its name before, and no component declares "
                + Config.TOPOLOGY_COMPONENT_CPU_PCORE_PERCENT);
            return null;
        }
        if (!(report.get("free-cores") instanceof Number free)) {
            admitUnknown("the cores of the machines are not known: set supervisor.cpu.capacity");
            return null;
        }
        // A topology that is replaced leaves its cores to the new one.
        boolean isReplaced = hasRun && report.get("topologies") instanceof List<?> rows
            && rows.stream().anyMatch(row -> row instanceof Map<?, ?> map && name.equals(map.get("topology")));
        double available = free.doubleValue() + (isReplaced ? earlier : 0);
        double needed = hasRun ? earlier : declared.getAsDouble();
        return needed <= available ? null : String.format(Locale.ROOT, "it needs %.1f cores, as %s, and the machines with a free slot have"
            + " %.1f left", needed, hasRun ? "when it ran before" : "its components declare", available);
    }

    /** What the components declare to need; empty if none declares anything. */
    private static OptionalDouble declaredCores(Map<String, Object> clientConf, StormTopology topology, Map<String, Object> topologyConf) {
        String key = Config.TOPOLOGY_COMPONENT_CPU_PCORE_PERCENT;
        Collection<ComponentCommon> components = Components.of(topology).values();
        if (!topologyConf.containsKey(key) && components.stream().noneMatch(component -> OwnConfiguration.of(component).containsKey(key))) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(components.stream().mapToDouble(component -> {
            Object percent = OwnConfiguration.of(component).getOrDefault(key, clientConf.get(key));
            return percent instanceof Number number ? Components.executors(component) * number.doubleValue() / PERCENT : 0;
        }).sum());
    }

    /**
     * Why the memory that is left is too little; null if it suffices or if that is not known. A worker's heap is the sum of its executors',
     * so what a topology needs is known before it runs. Nimbus reports what each Supervisor has left only with the resource-aware
     * scheduler.
     */
    private static String memoryShortage(ClusterSummary cluster, Map<String, Object> clientConf, StormTopology topology) {
        List<SupervisorSummary> machines = cluster.get_supervisors();
        if (machines.isEmpty() || machines.stream().anyMatch(supervisor -> memoryMb(supervisor) <= 0)) {
            admitUnknown("the memory of the machines is not known: set supervisor.memory.capacity.mb");
            return null;
        }
        // A topology that is replaced leaves its memory to the new one.
        double usedMb = cluster.get_topologies().stream()
            .filter(running -> !running.get_name().equals(clientConf.get(Config.TOPOLOGY_NAME)))
            .mapToDouble(running -> running.get_assigned_memonheap() + running.get_assigned_memoffheap()).sum();
        double availableMb = Math.max(0, machines.stream().mapToDouble(SloAdmission::memoryMb).sum() - usedMb);
        double neededMb = Components.of(topology).values().stream().mapToDouble(component -> Components.executors(component)
            * MEMORY.stream().mapToDouble(key -> OwnConfiguration.of(component).getOrDefault(key, clientConf.get(key)) instanceof Number mb
                ? mb.doubleValue() : 0).sum()).sum();
        return neededMb <= availableMb ? null : String.format(Locale.ROOT, "its executors need %.0f MB of memory, and the machines have"
            + " %.0f MB left", neededMb, availableMb);
    }

    private static double memoryMb(SupervisorSummary supervisor) {
        return supervisor.is_set_total_resources()
            ? supervisor.get_total_resources().getOrDefault(Constants.COMMON_TOTAL_MEMORY_RESOURCE_NAME, 0.0) : 0;
    }

    private static void admitUnknown(String why) {
        LOG.info("Whether the cluster can meet the SLO of this topology is not known, so it is let in: {}.", why);
    }

    private static Map<?, ?> parse(byte[] report) {
        return JSONValue.parse(new String(report, StandardCharsets.UTF_8)) instanceof Map<?, ?> map ? map : Map.of();
    }
}
