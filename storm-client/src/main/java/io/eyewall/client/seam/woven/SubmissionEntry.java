package io.eyewall.client.seam.woven;

import io.eyewall.client.blob.SmallBlob;
import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.settings.SubmittedSettings;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.storm.Config;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry of woven code in clients and Supervisors, as {@link SeamEntry} is in workers. Not for use by features.
 */
public final class SubmissionEntry {

    /** The suffix that Eyewall's Supervisor appends to upstream's version when it reports that to Nimbus. */
    private static final String MARK = "+eyewall";

    private static final Logger LOG = LoggerFactory.getLogger(SubmissionEntry.class);

    private static final List<TopologySubmission> SUBMISSIONS =
        ServiceLoader.load(TopologySubmission.class, SubmissionEntry.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private SubmissionEntry() {
    }

    /**
     * The configuration with which a topology goes to Nimbus. Warns of keys that look misspelt.
     *
     * @param name the topology's name
     * @param topologyConf as JSON
     * @return as JSON
     * @throws InvalidTopologyException if a feature refuses the topology, or a component sets a key of ours to a value that is not allowed
     * @throws IllegalArgumentException if the topology sets a key of ours to a value that is not allowed
     */
    public static String submitting(String name, Map<String, Object> clientConf, StormTopology topology, String topologyConf,
            NimbusClient nimbus) throws InvalidTopologyException {
        SubmittedSettings.check(clientConf);
        SubmittedSettings.checkComponents(topology);
        SubmittedSettings.warnOfMisspeltKeys(clientConf, topology);
        if (SUBMISSIONS.isEmpty()) {
            return topologyConf;
        }
        @SuppressWarnings("unchecked")
        Map<String, Object> conf = (Map<String, Object>) JSONValue.parse(topologyConf);
        Map<String, Object> named = new HashMap<>(clientConf);
        named.put(Config.TOPOLOGY_NAME, name);
        for (TopologySubmission submission : SUBMISSIONS) {
            submission.submitting(Collections.unmodifiableMap(named), topology, new OfNimbus(nimbus), conf);
        }
        return JSONValue.toJSONString(conf);
    }

    /** The version that a Supervisor reports. */
    public static String supervisorVersion(String version) {
        return version == null || isEyewall(version) ? version : version + MARK;
    }

    /** Whether a Supervisor that reports this version, and so its workers, are Eyewall's. */
    public static boolean isEyewall(String supervisorVersion) {
        return supervisorVersion != null && supervisorVersion.endsWith(MARK);
    }

    /** The hosts, in order, whose Supervisors are not Eyewall's. */
    public static List<String> hostsOfOthers(ClusterSummary cluster) {
        return cluster.get_supervisors().stream().filter(supervisor -> !isEyewall(supervisor.get_version()))
            .map(SupervisorSummary::get_host).sorted().toList();
    }

    /** A cluster, by its Nimbus. Where Nimbus does not answer, callers assume that the Supervisors are upstream's. */
    private record OfNimbus(NimbusClient nimbus) implements SubmissionTarget {

        @Override
        public ClusterSummary summary() {
            try {
                return nimbus.getClient().getClusterInfo();
            } catch (TException e) {
                LOG.warn("Nimbus does not report its cluster, so the topology is submitted as to upstream's cluster: {}", e.getMessage(),
                    e);
                return new ClusterSummary(List.of(), List.of(), List.of());
            }
        }

        @Override
        public Optional<byte[]> blob(String key) {
            try {
                return SmallBlob.read(nimbus.getClient(), key);
            } catch (TException e) {
                LOG.debug("Nimbus does not return blob {}.", key, e);
            }
            return Optional.empty();
        }
    }
}
