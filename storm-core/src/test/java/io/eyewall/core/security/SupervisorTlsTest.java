package io.eyewall.core.security;

import static io.eyewall.core.security.TlsServer.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.Supervisor;
import org.apache.storm.generated.SupervisorAssignments;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.SupervisorClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whom a Supervisor's port over TLS takes a client for. */
class SupervisorTlsTest {

    private static final String NOBODY = "nobody";
    private static final String TRANSPORT = "supervisor.thrift.transport";
    private static final String REQUIRED = "supervisor.thrift.tls.client.auth.required";

    private static Stores daemons;
    private static Stores mallory;

    @BeforeAll
    static void certify() throws Exception {
        daemons = new Stores(TlsServer.HOST);
        mallory = new Stores("mallory");
    }

    @Test
    void shouldKnowNimbusByItsCertificate() throws Exception {
        assertEquals(NOBODY, Upstream.attackedBy(Asking.class), "upstream's Supervisor closes the connection, with Java 15 and later");

        assertEquals("CN=localhost", new Asking().call());
        assertEquals("CN=localhost", caller(conf(daemons), conf(daemons)), "without upstream's other keys");
    }

    @Test
    void shouldRefuseWhomItDoesNotTrust() throws Exception {
        Map<String, Object> conf = conf(daemons);
        assertEquals(NOBODY, caller(conf, with(conf, Map.of(REQUIRED, false))), "a client without a certificate");
        assertEquals(NOBODY, caller(conf, with(conf, client(mallory.keys(), daemons.trusted()))), "one of mallory's");
        assertEquals(NOBODY, caller(conf, with(conf, client(daemons.keys(), mallory.trusted()))), "a client that trusts another");
        assertEquals(NOBODY, caller(conf, with(conf, Map.of("supervisor.thrift.client.use.tls", false))), "a client without TLS");
    }

    @Test
    void shouldServeAClientWithoutACertificateWhereNoneIsRequired() throws Exception {
        Map<String, Object> open = with(conf(daemons), Map.of(REQUIRED, false));
        assertEquals("CN=ANONYMOUS", caller(open, open));
    }

    @Test
    void shouldRefuseATransportThatDoesNotSpeakTls() {
        Map<String, Object> conf = with(conf(daemons), Map.of(TRANSPORT, "org.apache.storm.security.auth.SimpleTransportPlugin"));
        Throwable refusal = assertThrows(RuntimeException.class, () -> caller(conf, conf));
        while (refusal.getCause() != null) {
            refusal = refusal.getCause();
        }
        assertEquals("supervisor.thrift.transport: org.apache.storm.security.auth.SimpleTransportPlugin does not speak TLS. Remove the key,"
            + " or set ....thrift.client.use.tls to false.", refusal.getMessage());
    }

    @Test
    void shouldTakeTheGeneralTransportOnlyIfItMaySpeakTls() {
        String general = "storm.thrift.transport";
        String tls = "org.apache.storm.security.auth.tls.TlsTransportPlugin";
        assertEquals(tls, ThriftConnectionType.SUPERVISOR_TLS.getTransportPlugin(with(conf(daemons), Map.of())));
        assertEquals(tls, ThriftConnectionType.SUPERVISOR_TLS.getTransportPlugin(
            with(conf(daemons), Map.of(general, "org.apache.storm.security.auth.kerberos.KerberosSaslTransportPlugin"))));
        assertEquals("org.example.OwnTransport",
            ThriftConnectionType.SUPERVISOR_TLS.getTransportPlugin(with(conf(daemons), Map.of(general, "org.example.OwnTransport"))));
    }

    /** Of a Supervisor, and of a client with the same certificate. */
    private static Map<String, Object> conf(Stores stores) {
        return with(TlsServer.conf("supervisor", stores),
            Map.of("supervisor.thrift.client.use.tls", true, "supervisor.thrift.port", 0, "storm.nimbus.retry.times", 0));
    }

    private static Map<String, Object> client(String keys, String trusted) {
        return TlsServer.stores("supervisor", "client", keys, trusted);
    }

    /** Who a Supervisor takes a client for that sends assignments, or nobody. */
    private static String caller(Map<String, Object> conf, Map<String, Object> client) throws Exception {
        AtomicReference<String> caller = new AtomicReference<>(NOBODY);
        try (TlsServer served = new TlsServer(conf, new Supervisor.Processor<>(new Noting(caller)), ThriftConnectionType.SUPERVISOR_TLS)) {
            ask(client, served.port(), caller);
        }
        return caller.get();
    }

    private static void ask(Map<String, Object> client, int port, AtomicReference<String> caller) {
        try (SupervisorClient asking = SupervisorClient.Builder.withConf(client).withHostName(TlsServer.HOST).withPort(port)
                .createSupervisorClient()) {
            asking.getIface().sendSupervisorAssignments(new SupervisorAssignments());
        } catch (TException | RuntimeException e) {
            assertEquals(NOBODY, caller.get(), "who is served gets an answer");
        }
    }

    /** What a Supervisor does, which here is to note who asks. */
    private record Noting(AtomicReference<String> caller) implements Supervisor.Iface {

        @Override
        public void sendSupervisorAssignments(SupervisorAssignments assignments) {
            caller.set(ReqContext.context().principal().getName());
        }

        @Override
        public Assignment getLocalAssignmentForStorm(String id) {
            throw new UnsupportedOperationException(id);
        }

        @Override
        public void sendSupervisorWorkerHeartbeat(SupervisorWorkerHeartbeat heartbeat) {
            throw new UnsupportedOperationException(heartbeat.toString());
        }
    }

    /** Sends assignments over TLS, with a certificate; returns who the Supervisor takes it for. */
    static final class Asking implements Callable<String> {

        @Override
        public String call() throws Exception {
            Map<String, Object> conf = with(conf(new Stores(TlsServer.HOST)),
                Map.of(TRANSPORT, "org.apache.storm.security.auth.tls.TlsTransportPlugin", REQUIRED, true));
            return caller(conf, conf);
        }
    }
}
