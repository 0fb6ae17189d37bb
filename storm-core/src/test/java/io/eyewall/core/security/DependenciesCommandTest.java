package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ADMIN;
import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.MALLORY;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.utils.ServerUtils;
import org.apache.storm.utils.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dependencies without a topology: the command that shows and deletes them, and the sweep of Nimbus. */
class DependenciesCommandTest {

    private static final String UNIQUE = "dep-unused-0a1b2c3d-0000-1111-2222-0123456789ab.jar";
    private static final long HOUR_MS = 3_600_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void close() throws Exception {
        new Tenants.Close().call();
    }

    @Test
    void shouldShowWhoseDependenciesThereAreAndWhoUsesThem() throws Exception {
        dependencies();

        assertEquals(0, run(ADMIN));
        assertEquals(List.of(
            "blob                                                 key          owner                 topologies",
            "dep-old-1.0.jar                                      predictable  mallory               none",
            "dep-unused-0a1b2c3d-0000-1111-2222-0123456789ab.jar  random       alice                 none",
            "dep-used-1.0.jar                                     predictable  alice                 orders",
            "3 dependencies: 2 of no topology, 2 with a key that others could have known"), text(out).lines().toList());
        assertTrue(exists(UNIQUE));
    }

    @Test
    void shouldDeleteWhatNoTopologyUses() throws Exception {
        dependencies();

        assertEquals(0, run(ADMIN, "--remove"));
        assertTrue(text(out).endsWith("deleted dep-old-1.0.jar\ndeleted " + UNIQUE + "\n"), text(out));
        assertEquals(List.of(false, false, true, true),
            List.of(exists("dep-old-1.0.jar"), exists(UNIQUE), exists("dep-used-1.0.jar"), exists("data")));
    }

    @Test
    void shouldDeleteNothingWhenItCannotTellWhoUsesIt() throws Exception {
        dependencies();

        assertEquals(1, run(MALLORY, "--remove"));
        assertTrue(text(err).startsWith("storm blobstore dependencies: you may not read every topology, so it is not known which"),
            text(err));
        assertTrue(exists("dep-old-1.0.jar"));
    }

    @Test
    void shouldRefuseABadCommandLine() throws Exception {
        assertEquals(2, run(ADMIN, "dep-old-1.0.jar"));
        assertEquals(2, run(ADMIN, "--all"));
        assertEquals(List.of("storm blobstore dependencies: no names are expected, such as dep-old-1.0.jar",
            "storm blobstore dependencies: unknown option --all; there are --remove"), text(err).lines().toList());
    }

    @Test
    void shouldSweepAnUploadThatIsNotFollowedByASubmission() throws Exception {
        dependencies();
        Map<String, Object> conf = Tenants.cluster().getDaemonConf();
        BlobStore blobs = ServerUtils.getNimbusBlobStore(conf, NimbusInfo.fromConf(conf), null);
        DependencySweep sweep = new DependencySweep(); // That of Nimbus sweeps meanwhile, at the real time.
        try {
            sweep.sweep(blobs, Set.of("dep-used-1.0.jar"), 0, HOUR_MS);
            sweep.sweep(blobs, Set.of("dep-used-1.0.jar", UNIQUE), HOUR_MS - 1, HOUR_MS);
            sweep.sweep(blobs, Set.of("dep-used-1.0.jar"), HOUR_MS, HOUR_MS);
            assertTrue(exists(UNIQUE), "it was used meanwhile");

            sweep.sweep(blobs, Set.of("dep-used-1.0.jar"), 2 * HOUR_MS, HOUR_MS);
            assertEquals(List.of(false, true, true), List.of(exists(UNIQUE), exists("dep-old-1.0.jar"), exists("dep-used-1.0.jar")));
        } finally {
            blobs.shutdown();
        }
    }

    @Test
    void shouldSweepAtIntervals() throws Exception {
        nimbus().doCleanup();
        DependencySweep sweep = DependencySweep.of(nimbus());
        long nowMs = TimeUnit.NANOSECONDS.toMillis(Time.nanoTime());
        assertFalse(sweep.isDue(nowMs, 1), "it was just done, and is done every ten minutes");
        assertTrue(sweep.isDue(nowMs + HOUR_MS, 1));
    }

    private static void dependencies() throws Exception {
        Tenants.create(ALICE, UNIQUE, "unused");
        Tenants.create(ALICE, "dep-used-1.0.jar", "used");
        Tenants.create(MALLORY, "dep-old-1.0.jar", "old");
        Tenants.create(MALLORY, "data", "no dependency");
        StormTopology topology = Tenants.topology();
        topology.set_dependency_artifacts(List.of("dep-used-1.0.jar"));
        Tenants.submit(ALICE, "orders", null, Map.of(), topology);
    }

    private static boolean exists(String key) throws Exception {
        return as(ADMIN, () -> nimbus().isRemoteBlobExists(key));
    }

    private int run(String user, String... arguments) throws Exception {
        return as(user, () -> new DependenciesCommand(nimbus(), new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8)).run(arguments));
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
