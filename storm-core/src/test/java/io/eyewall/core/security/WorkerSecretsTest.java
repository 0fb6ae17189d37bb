package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Workers that are to know each other, where nothing gives them a secret. */
class WorkerSecretsTest {

    private static final String REFUSAL = "storm.messaging.netty.authentication is true, but Nimbus does not log in to ZooKeeper, so that"
        + " workers have no secret to authenticate each other with. Set storm.zookeeper.auth.scheme and storm.zookeeper.auth.payload for"
        + " all daemons, or -Djava.security.auth.login.config; or set storm.messaging.netty.authentication to false.";

    @AfterAll
    static void close() throws Exception {
        new Tenants.Close().call();
    }

    @Test
    void shouldRefuseATopologyWhoseWorkersWouldHaveNoSecret() throws Exception {
        assertEquals(REFUSAL, assertThrows(InvalidTopologyException.class, () -> Tenants.submit(ALICE, "secretless", null,
            Map.of(Config.STORM_MESSAGING_NETTY_AUTHENTICATION, true), Tenants.topology())).get_msg());

        Tenants.submit(ALICE, "open", null, Map.of(), Tenants.topology());
        RebalanceOptions options = new RebalanceOptions();
        options.set_topology_conf_overrides("{\"storm.messaging.netty.authentication\": true}");
        assertEquals(REFUSAL, assertThrows(InvalidTopologyException.class, () -> as(ALICE, () -> {
            nimbus().rebalance("open", options);
            return null;
        })).get_msg());
    }

    @Test
    void shouldAcceptOneWhereNimbusLogsInOrWorkersNeedNotKnowEachOther() {
        Map<String, Object> digest = Map.of(Config.STORM_ZOOKEEPER_AUTH_SCHEME, "digest");
        assertDoesNotThrow(() -> WorkerSecrets.check(true, digest));
        assertDoesNotThrow(() -> WorkerSecrets.check(false, Map.of()));
        assertDoesNotThrow(() -> WorkerSecrets.check(null, Map.of()));
    }
}
