package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.MALLORY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.generated.InvalidTopologyException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Local names of blobs, where Nimbus takes a topology. */
class LocalNamesCve202682427Test {

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldRefuseALocalNameThatLeadsOut() throws Exception {
        assertTrue(Upstream.attackedBy(LocalName.class).toString().startsWith("local-name-"));

        assertEquals("topology.blobstore.map has, for the blob 'blob-of-mallory', the local name '../../../etc', which is not the name of"
            + " a file. Choose a name without '/', and submit the topology again.", refusal(new LocalName()));
    }

    private static String refusal(Callable<?> attack) {
        return assertThrows(InvalidTopologyException.class, attack::call).get_msg();
    }

    /** Submits a blob with a local name outside of the worker's directory. */
    static final class LocalName implements Callable<String> {
        @Override
        public String call() throws Exception {
            Tenants.create(MALLORY, "blob-of-mallory", "anything");
            Tenants.submit(MALLORY, "local-name", null,
                Map.of("topology.blobstore.map", Map.of("blob-of-mallory", Map.of("localname", "../../../etc"))), Tenants.topology());
            return Tenants.id("local-name");
        }
    }
}
