package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ADMIN;
import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.MALLORY;
import static io.eyewall.core.security.Tenants.READER;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.security.auth.Subject;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.security.auth.ReqContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Calls for which upstream's Nimbus does not ask who makes them. */
class CallerChecksTest {

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldReturnTheHistoryOfAUserToThatUser() throws Exception {
        assertEquals("accepted", Upstream.attackedBy(History.class));

        assertThrows(AuthorizationException.class, new History()::call);
        assertDoesNotThrow(() -> as(ALICE, () -> nimbus().getTopologyHistory(ALICE)));
        assertDoesNotThrow(() -> as(ADMIN, () -> nimbus().getTopologyHistory(ALICE)));
        assertThrows(AuthorizationException.class, () -> as(MALLORY, () -> nimbus().getTopologyHistory(null)));
    }

    @Test
    void shouldNoteABlobOfTheCallersOnly() throws Exception {
        assertEquals("accepted", Upstream.attackedBy(Noted.class));

        assertThrows(KeyNotFoundException.class, new Noted()::call);
        Tenants.create(ALICE, "noted", "of alice");
        assertThrows(AuthorizationException.class, () -> note(MALLORY, "noted"));
        assertEquals("accepted", note(ALICE, "noted"));
        assertEquals("accepted", note(ADMIN, "noted"));
    }

    @Test
    void shouldTakeCredentialsFromTheOwnerOfATopologyOnly() throws Exception {
        Tenants.submit(ALICE, "credited", null, Map.of(), Tenants.topology());

        assertThrows(AuthorizationException.class, () -> upload(MALLORY));
        assertThrows(AuthorizationException.class, () -> upload(READER));
        assertDoesNotThrow(() -> upload(ALICE));
    }

    @Test
    void shouldDoNothingForACallerWithoutAName() throws Exception {
        Tenants.submit(ALICE, "named", null, Map.of(), Tenants.topology());
        Tenants.create(ALICE, "of-alice", "of alice");
        for (Callable<?> call : List.<Callable<?>>of(() -> done(() -> nimbus().killTopology("named")), () -> nimbus().getNimbusConf(),
                () -> nimbus().getTopologyHistory(null), () -> nimbus().getTopologyHistory(ALICE), () -> nimbus().getClusterInfo(),
                () -> nimbus().getBlobMeta("of-alice"), () -> done(() -> nimbus().createStateInZookeeper("of-alice")))) {
            ReqContext.context().setSubject(new Subject());
            try {
                assertThrows(Exception.class, call::call);
            } finally {
                ReqContext.reset();
            }
        }
        assertEquals("INACTIVE", as(ALICE, () -> nimbus().getTopologySummaryByName("named").get_status()));
    }

    /** A call that returns nothing. */
    @FunctionalInterface
    private interface Operation {
        void run() throws Exception;
    }

    private static Void done(Operation operation) throws Exception {
        operation.run();
        return null;
    }

    private static Void upload(String user) throws Exception {
        return as(user, () -> done(() -> nimbus().uploadNewCredentials("credited", new Credentials(Map.of("token", "new")))));
    }

    private static String note(String user, String key) throws Exception {
        return as(user, () -> {
            nimbus().createStateInZookeeper(key);
            return "accepted";
        });
    }

    /** Reads somebody else's history. */
    static final class History implements Callable<String> {
        @Override
        public String call() throws Exception {
            return as(MALLORY, () -> {
                nimbus().getTopologyHistory(ALICE);
                return "accepted";
            });
        }
    }

    /** Has every Nimbus look for a blob that does not exist. */
    static final class Noted implements Callable<String> {
        @Override
        public String call() throws Exception {
            return note(MALLORY, "of-nobody");
        }
    }
}
