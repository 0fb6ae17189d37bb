package io.eyewall.tail.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.NimbusClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submits as a client does, to a Nimbus that only listens. */
class SharedQueuesSubmissionTest {

    private static final String JAR = "storm.jar";

    private final List<String> submitted = new ArrayList<>();

    @Test
    void shouldSubmitABoltThatSharesAndRefuseOneThatCannot(@TempDir Path directory) throws Exception {
        submit(directory, bolt -> bolt.shuffleGrouping("words"));
        assertEquals(List.of("words"), submitted);

        InvalidTopologyException refused = assertInstanceOf(InvalidTopologyException.class, assertThrows(RuntimeException.class,
            () -> submit(directory, bolt -> bolt.fieldsGrouping("words", new Fields("word")))).getCause());
        assertTrue(refused.get_msg().startsWith("topology.executor.queue is 'shared' for the bolt 'count', but its input"),
            refused.get_msg());
        assertEquals(List.of("words"), submitted);
    }

    private void submit(Path directory, Consumer<BoltDeclarer> inputs) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        BoltDeclarer bolt = topology.setBolt("count", new TestWordCounter(), 2);
        bolt.addConfigurations(Map.of(SharingConfiguration.EXECUTOR_QUEUE, "shared"));
        inputs.accept(bolt);
        System.setProperty(JAR, Files.writeString(directory.resolve("topology.jar"), "jar").toString());
        try (NimbusClient.LocalOverride nimbus = new NimbusClient.LocalOverride(listening())) {
            StormSubmitter.submitTopology("words", new HashMap<>(), topology.createTopology());
        } finally {
            System.clearProperty(JAR);
        }
    }

    private Nimbus.Iface listening() {
        Map<String, Object> answers = Map.of("isTopologyNameAllowed", true, "beginFileUpload", "uploaded",
            "getClusterInfo", new ClusterSummary(List.of(), List.of(), List.of()));
        return (Nimbus.Iface) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Nimbus.Iface.class},
            (proxy, method, arguments) -> {
                if (method.getName().startsWith("submitTopology")) {
                    submitted.add((String) arguments[0]);
                }
                return answers.get(method.getName());
            });
    }
}
