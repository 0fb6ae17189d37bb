package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.RedisServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The behaviours in a cluster with Kerberos, as an ordinary tenant of it. */
@Tag("system")
@Tag("long")
class DropInTenantSystemTest extends DropInContract {

    /** Nimbus adds them to a tenant's credentials, so that workers may ask daemons. */
    private static final Pattern TOKENS = Pattern.compile("STORM_WORKER_TOKEN_\\w+=[^,}]+(, )?");

    @RegisterExtension
    static final KerberosRealm REALM = KerberosRealm.ofThisJvm();

    private DropInRun run;

    @BeforeAll
    void runAll() {
        String missing = RedisServer.unavailabilityCause().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        Path directory = Installations.workDirectory("dropin-tenant");
        ClusterSpecification specification = ClusterSpecification.of(Installations.eyewall(), directory).withSupervisors(2, 6)
            .withJavaOptions(REALM.javaOptions()).withSettings(QuickSettings.all()).withSettings(REALM.clusterSettings())
            // By default Nimbus asks the operating system for the groups of users, who are none of its users.
            .withSettings(Map.of("storm.group.mapping.service", "org.apache.storm.security.auth.FixedGroupsMapping",
                "storm.group.mapping.service.params", Map.of("storm.fixed.group.mapping", Map.of(KerberosRealm.ALICE, Set.of("tenants")))));
        try (RedisServer redis = RedisServer.start(directory)) {
            try (ProcessCluster cluster = ProcessCluster.start(specification)) {
                cluster.startDaemon("drpc", "io.eyewall.core.drpc.DrpcDaemon");
                run = DropInComparison.run(cluster.as(REALM.clientSettings(KerberosRealm.ALICE)), directory, "localhost:" + redis.port(),
                    Map.of(), DropInComparison.SPREAD);
            }
        }
    }

    @Override
    Map<String, List<String>> outcome(String behaviour) {
        Map<String, List<String>> outcome = new TreeMap<>(run.outcome(behaviour));
        outcome.replaceAll((file, lines) -> lines.stream().map(line -> TOKENS.matcher(line).replaceAll("")).toList());
        return outcome;
    }
}
