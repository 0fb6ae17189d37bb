package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topologies whose two workers talk over TLS. */
@Tag("system")
class WorkerTlsSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("worker-tls");
    private static final String TOPOLOGY = "groupings";
    private static final String VERIFY = "storm.messaging.netty.tls.verify.host";
    private static final String FRAMES = "Tuples go in frames to the worker at";

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 1).withSettings(QuickSettings.all()));

    private final ProcessCluster processes = CLUSTER.cluster();

    @Test
    void shouldSendEachTupleOnce() {
        long before = logsWith(FRAMES);
        assertAllCome(cluster("plain", "localhost", Map.of()));
        assertEquals(before + 2, logsWith(FRAMES), "workers that are sent frames");
    }

    @Test
    @Tag("long")
    void shouldSendNothingToAWorkerWithTheCertificateOfAnotherHostUnlessNamesAreNotChecked() {
        DropInCluster refusing = cluster("refusing", "other.example", Map.of());
        refusing.submit(TOPOLOGY);
        processes.await("both workers refuse the other's certificate",
            () -> logsWith("The certificate of the worker at localhost:") == 2);
        refusing.end(TOPOLOGY);

        assertAllCome(cluster("trusting", "other.example", Map.of(VERIFY, "false")));
    }

    private static void assertAllCome(DropInCluster cluster) {
        Map<String, List<String>> outcome = TopologyBehaviours.groupings(cluster);
        List<String> all = IntStream.range(0, 400).mapToObj(number -> number + " key" + (number % 2 == 0 ? 0 : number % 20))
            .sorted().toList();
        for (String bolt : List.of("custom", "direct", "fields", "global", "none", "partial", "shuffle")) {
            assertEquals(all, outcome.entrySet().stream().filter(task -> task.getKey().matches(bolt + "(-\\d+)?"))
                .flatMap(task -> task.getValue().stream()).sorted().toList(), bolt);
        }
        List<String> spout = outcome.entrySet().stream().filter(task -> task.getKey().startsWith("numbers"))
            .flatMap(task -> task.getValue().stream()).toList();
        assertTrue(spout.size() == 400 && spout.stream().allMatch(line -> line.startsWith("ack ")), spout::toString);
    }

    private DropInCluster cluster(String name, String certified, Map<String, String> options) {
        Map<String, String> all = new HashMap<>(Certificate.of(certified, DIRECTORY.resolve(name)).betweenWorkers());
        all.putAll(options);
        return new DropInCluster(processes, DIRECTORY.resolve(name), all);
    }

    /** How many logs of workers have the text. */
    private long logsWith(String text) {
        try (Stream<Path> files = Files.walk(processes.logs())) {
            return files.filter(file -> file.endsWith("worker.log")).filter(file -> contains(file, text)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean contains(Path log, String text) {
        try {
            return Files.readString(log).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + log, e);
        }
    }
}
