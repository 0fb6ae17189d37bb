package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ADMIN;
import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.MALLORY;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Blobs that go with a topology. */
class DependenciesCve202682441Test {

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldNotRemoveABlobOfSomebodyElse() throws Exception {
        assertEquals(true, Upstream.attackedBy(ForeignDependency.class));

        assertEquals("The topology depends on the blob 'dep-of-alice.jar', which may not be read by you. Submit it with --jars or"
            + " --artifacts, which upload what it depends on.", refusal(new ForeignDependency()));
        assertEquals("of alice", Tenants.read(Tenants.ALICE, "dep-of-alice.jar"));
    }

    @Test
    void shouldRefuseADependencyThatIsNoneOrDoesNotExist() throws Exception {
        Tenants.create(Tenants.MALLORY, "data", "of mallory");
        assertTrue(refusal(depending("data")).contains("does not begin with dep-"));
        assertTrue(refusal(depending("dep-none.jar")).contains("does not exist"));
    }

    @Test
    void shouldNotRemoveADependencyThatAnotherTopologyHas() {
        String own = "dep-a-0a1b2c3d-0000-1111-2222-0123456789ab.jar";
        StormTopology ended = new StormTopology();
        ended.set_dependency_jars(List.of("dep-jar.jar", "dep-shared.jar", "data"));
        ended.set_dependency_artifacts(List.of("dep-org-library-1.0.jar", own));

        assertEquals(List.of("dep-jar.jar", own), DependencyBlobs.removable(ended, Set.of("dep-shared.jar")));
    }

    private static Callable<Void> depending(String key) {
        StormTopology topology = Tenants.topology();
        topology.set_dependency_artifacts(List.of(key));
        return () -> {
            Tenants.submit(Tenants.MALLORY, "depending", null, Map.of(), topology);
            return null;
        };
    }

    private static String refusal(Callable<?> attack) {
        return assertThrows(InvalidTopologyException.class, attack::call).get_msg();
    }

    /** Has Nimbus delete somebody else's blob with an own topology. */
    static final class ForeignDependency implements Callable<Boolean> {
        @Override
        public Boolean call() throws Exception {
            Tenants.create(ALICE, "dep-of-alice.jar", "of alice");
            StormTopology topology = Tenants.topology();
            topology.set_dependency_jars(List.of("dep-of-alice.jar"));
            Tenants.submit(MALLORY, "dependency", null, Map.of(), topology);
            String id = Tenants.id("dependency");
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            as(MALLORY, () -> {
                nimbus().killTopologyWithOpts("dependency", now);
                return null;
            });
            nimbus().rmDependencyJarsInTopology(id);
            return as(ADMIN, () -> !nimbus().isRemoteBlobExists("dep-of-alice.jar"));
        }
    }
}
