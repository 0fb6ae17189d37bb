package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the workers of a cluster, or their instances, have in shared memory. */
final class SharedMemory {

    private static final List<String> USED = List.of("Frames come through shared memory from the worker at",
        "Tuples go through shared memory to the stream manager.");

    private SharedMemory() {
    }

    /** The processes of a running topology have received tuples through rings, and none has left anything that has a name. */
    static void assertUsedAndLeft(ProcessCluster cluster, String topology) {
        long processes = processes(cluster.logs(), cluster.topologies().find(topology).orElseThrow().get_id());
        System.out.println("Of the processes of " + topology + ", " + processes + " had rings.");
        assertTrue(processes > 0, "no process of " + topology + " had a ring");
        cluster.await("nothing is left in shared memory", () -> left().isEmpty());
    }

    /** How many logs say that rings are used. An instance's has its own name. */
    private static long processes(Path logs, String topologyId) {
        try (Stream<Path> all = Files.walk(logs)) {
            return all.filter(file -> file.toString().endsWith(".log") && file.toString().contains(topologyId))
                .filter(file -> USED.stream().anyMatch(text -> WorkerFiles.contains(file, text))).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> left() {
        try (Stream<Path> all = Files.list(RingPlace.SHARED_MEMORY)) {
            return all.filter(path -> path.getFileName().toString().startsWith("eyewall-ring-")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
