package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.MALLORY;
import static io.eyewall.core.security.Tenants.READER;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Secrets in what Nimbus returns. */
class SecretsCve202682433Cve202684179Test {

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldServeNoSecrets() throws Exception {
        Map<?, ?> upstreams = (Map<?, ?>) Upstream.attackedBy(Secrets.class);
        upstreams.forEach((call, conf) -> assertTrue(hasSecret((String) conf), () -> call + " of upstream's"));

        Map<String, String> served = new Secrets().call();
        served.forEach((call, conf) -> assertFalse(hasSecret(conf), () -> call + " returns " + conf));
        assertTrue(served.get("getTopologyConf").contains("\"topology.message.timeout.secs\":77"), served.get("getTopologyConf"));
    }

    private static boolean hasSecret(String conf) {
        return conf.contains(Tenants.CLUSTER_SECRET) || conf.contains(Tenants.TOPOLOGY_SECRET);
    }

    /** Reads the passwords of a cluster, and of a topology that it may read. */
    static final class Secrets implements Callable<Map<String, String>> {
        @Override
        public Map<String, String> call() throws Exception {
            Tenants.submit(ALICE, "secrets", null, Map.of("topology.readonly.users", List.of(READER), "db",
                Map.of("url", "jdbc:x://h/d?password=" + Tenants.TOPOLOGY_SECRET), "db.password", Tenants.TOPOLOGY_SECRET,
                "topology.message.timeout.secs", 77), Tenants.topology());
            String id = Tenants.id("secrets");
            Map<String, String> served = new LinkedHashMap<>();
            served.put("getNimbusConf", as(MALLORY, () -> nimbus().getNimbusConf()));
            served.put("getTopologyConf", as(READER, () -> nimbus().getTopologyConf(id)));
            served.put("getTopologyPageInfo", as(READER, () -> nimbus().getTopologyPageInfo(id, ":all-time", false).get_topology_conf()));
            served.put("getTopology", as(READER, () -> spoutConf(nimbus().getTopology(id))));
            served.put("getUserTopology", as(READER, () -> spoutConf(nimbus().getUserTopology(id))));
            return served;
        }

        private static String spoutConf(StormTopology topology) {
            return topology.get_spouts().get("words").get_common().get_json_conf();
        }
    }
}
