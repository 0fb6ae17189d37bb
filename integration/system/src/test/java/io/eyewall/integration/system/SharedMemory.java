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

/** What the workers of a cluster have in shared memory. */
final class SharedMemory {

    private static final String USED = "Frames come through shared memory from the worker at";

    private SharedMemory() {
    }

    /** The workers of a running topology have received tuples through rings, and none has left anything that has a name. */
    static void assertUsedAndLeft(ProcessCluster cluster, String topology) {
        long rings = WorkerFiles.logs(cluster.logs(), cluster.topologies().find(topology).orElseThrow().get_id()).stream()
            .flatMap(String::lines).filter(line -> line.contains(USED)).count();
        System.out.println("The workers of " + topology + " had " + rings + " rings.");
        assertTrue(rings > 0, "no worker of " + topology + " had a ring");
        cluster.await("nothing is left in shared memory", () -> left().isEmpty());
    }

    private static List<Path> left() {
        try (Stream<Path> all = Files.list(RingPlace.SHARED_MEMORY)) {
            return all.filter(path -> path.getFileName().toString().startsWith("eyewall-ring-")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
