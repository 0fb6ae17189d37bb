package io.eyewall.core.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.eyewall.client.seam.woven.SubmissionEntry;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorInfo;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submits as a client does, to a Nimbus that only listens. */
class SubmissionWovenTest {

    private static final String JAR = "storm.jar";

    private final Map<Object, Object> submitted = new HashMap<>();
    private StormTopology submittedTopology;
    /** The spout's own configuration. */
    private final Map<String, Object> words = new HashMap<>();
    /** What is left of the scheduler's report. */
    private String report = "";

    @Test
    void shouldWriteDownHowTheTopologyIsAckedWhenItIsSubmitted(@TempDir Path directory) throws Exception {
        SupervisorInfo eyewall = new SupervisorInfo();
        eyewall.set_version("2.8.3");

        assertEquals("ledger", submittedAcking(directory, "ledger", cluster(eyewall.get_version())));
        assertEquals("acker", submittedAcking(directory, "ledger", cluster(eyewall.get_version(), "2.8.3")));
        assertEquals(SubmissionEntry.supervisorVersion("2.8.3"), eyewall.get_version());
    }

    @Test
    void shouldSubmitWithAckersWhenNimbusDoesNotReportItsSupervisors(@TempDir Path directory) throws Exception {
        assertEquals("acker", submittedAcking(directory, "ledger", () -> {
            throw new AuthorizationException("may not ask");
        }));
    }

    @Test
    void shouldNotAskForTheClusterWhenAckersAndRestartsAreWanted(@TempDir Path directory) throws Exception {
        assertEquals("acker", submitted(directory, Map.of("topology.acking", "acker", "topology.rebalance.hot", false),
            () -> fail("asked for the cluster")));
    }

    @Test
    void shouldRefuseAValueThatAKeyOfOursCannotHave(@TempDir Path directory) {
        assertEquals("topology.acking is 'ledgers', but must be ledger or acker.", assertThrows(IllegalArgumentException.class,
            () -> submittedAcking(directory, "ledgers", cluster())).getMessage());
        assertEquals(Map.of(), submitted);
    }

    @Test
    void shouldRefuseAValueThatAComponentCannotHave(@TempDir Path directory) {
        words.put("topology.deadline.target.ms", "soon");

        Throwable refusal = assertThrows(RuntimeException.class, () -> submitted(directory, Map.of(), cluster())).getCause();

        assertEquals("In the configuration of the component 'words', topology.deadline.target.ms is 'soon', but must be a whole number of"
            + " milliseconds from 0 to 3600000, or a map from streams of the spout to such numbers.",
            assertInstanceOf(InvalidTopologyException.class, refusal).get_msg());
        assertEquals(Map.of(), submitted);
    }

    @Test
    void shouldGiveTheTopologyRoomToGrowWhenItIsSubmitted(@TempDir Path directory) throws Exception {
        submitted(directory, Map.of("topology.elastic.tasks.factor", 3), cluster("2.8.3"));

        assertEquals(3, ((Number) Utils.parseJson(submittedTopology.get_spouts().get("words").get_common().get_json_conf())
            .get("topology.tasks")).intValue());
    }

    @Test
    void shouldAskForAnEarlierRunOfTheSameNameWhenTheTopologyHasAnSlo(@TempDir Path directory) {
        report = "{\"time-ms\":" + System.currentTimeMillis()
            + ",\"admission\":\"refuse\",\"free-cores\":1.5,\"busy-cores\":{\"words\":2.0},\"topologies\":[]}";

        // Upstream's client wraps whatever is thrown here.
        Throwable refusal = assertThrows(RuntimeException.class,
            () -> submitted(directory, Map.of("topology.slo.latency.ms", 50), cluster("2.8.3"))).getCause();

        String message = assertInstanceOf(InvalidTopologyException.class, refusal).get_msg();
        assertTrue(message.contains("it needs 2.0 cores, as when it ran before, and the machines with a free slot have 1.5 left"), message);
        assertEquals(Map.of(), submitted);
    }

    private static Callable<ClusterSummary> cluster(String... supervisorVersions) {
        return () -> new ClusterSummary(List.of(supervisorVersions).stream().map(version -> {
            SupervisorSummary supervisor = new SupervisorSummary("host", 1, 4, 0, "id");
            supervisor.set_version(version);
            return supervisor;
        }).toList(), List.of(), List.of());
    }

    private Object submittedAcking(Path directory, String wanted, Callable<ClusterSummary> cluster) throws Exception {
        return submitted(directory, Map.of("topology.acking", wanted), cluster);
    }

    private Object submitted(Path directory, Map<String, Object> conf, Callable<ClusterSummary> cluster) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout()).addConfigurations(words);
        System.setProperty(JAR, Files.writeString(directory.resolve("topology.jar"), "jar").toString());
        try (NimbusClient.LocalOverride nimbus = new NimbusClient.LocalOverride(listening(cluster))) {
            StormSubmitter.submitTopology("words", new HashMap<>(conf), topology.createTopology());
        } finally {
            System.clearProperty(JAR);
        }
        return submitted.get("topology.acking");
    }

    private Nimbus.Iface listening(Callable<ClusterSummary> cluster) {
        Map<String, Object> answers = Map.of("isTopologyNameAllowed", true, "beginFileUpload", "uploaded");
        return (Nimbus.Iface) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Nimbus.Iface.class},
            (proxy, method, arguments) -> {
                if (method.getName().startsWith("submitTopology")) {
                    submittedTopology = (StormTopology) arguments[3];
                    submitted.putAll((Map<?, ?>) JSONValue.parse((String) arguments[2]));
                }
                if (method.getName().equals("beginBlobDownload")) {
                    return new BeginDownloadResult(1, "session");
                } else if (method.getName().equals("downloadBlobChunk")) {
                    ByteBuffer chunk = ByteBuffer.wrap(report.getBytes(StandardCharsets.UTF_8));
                    report = "";
                    return chunk;
                }
                return method.getName().equals("getClusterInfo") ? cluster.call() : answers.get(method.getName());
            });
    }
}
