package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.MALLORY;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AccessControlType;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.ListBlobsResult;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Blobs of others that a tenant lists, or gets with a rebalance. */
class ForeignBlobsCve202682432Test {

    private static final int READ = 1;

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldCheckInARebalanceWhatItChecksInASubmission() throws Exception {
        assertEquals("accepted", Upstream.attackedBy(Rebalance.class));

        assertThrows(AuthorizationException.class, new Rebalance()::call);
    }

    @Test
    void shouldListWhatTheCallerMayRead() throws Exception {
        assertEquals(List.of("private-to-list", "public-to-list"), Upstream.attackedBy(Listing.class));

        assertEquals(List.of("public-to-list"), new Listing().call());
    }

    /** Gets somebody else's blob into an own topology with a rebalance. */
    static final class Rebalance implements Callable<String> {
        @Override
        public String call() throws Exception {
            Tenants.create(ALICE, "private-to-rebalance", "of alice");
            Tenants.submit(MALLORY, "rebalanced", null, Map.of(), Tenants.topology());
            RebalanceOptions options = new RebalanceOptions();
            options.set_topology_conf_overrides("{\"topology.blobstore.map\": {\"private-to-rebalance\": {}}}");
            return as(MALLORY, () -> {
                nimbus().rebalance("rebalanced", options);
                return "accepted";
            });
        }
    }

    /** Lists all keys, those of others included. */
    static final class Listing implements Callable<List<String>> {
        @Override
        public List<String> call() throws Exception {
            Tenants.create(ALICE, "private-to-list", "of alice");
            Tenants.create(ALICE, "public-to-list", "of alice", new AccessControl(AccessControlType.OTHER, READ));
            return as(MALLORY, () -> {
                List<String> keys = new ArrayList<>();
                ListBlobsResult part = nimbus().listBlobs(null);
                while (part.get_keys_size() > 0) {
                    keys.addAll(part.get_keys());
                    part = nimbus().listBlobs(part.get_session());
                }
                return keys.stream().filter(key -> key.endsWith("-to-list")).sorted().toList();
            });
        }
    }
}
