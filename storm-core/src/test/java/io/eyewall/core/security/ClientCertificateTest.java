package io.eyewall.core.security;

import static io.eyewall.core.security.TlsServer.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.ThriftClient;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.TProcessor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whom Nimbus takes a client over TLS for. */
class ClientCertificateTest {

    private static final String NOBODY = "nobody";
    private static final String REQUIRED = "nimbus.thrift.tls.client.auth.required";

    private static Stores server;
    private static Stores carol;

    @BeforeAll
    static void certify() throws Exception {
        server = new Stores(TlsServer.HOST);
        carol = new Stores("carol");
    }

    @Test
    void shouldKnowTheClientByItsCertificate() throws Exception {
        assertEquals(NOBODY, Upstream.attackedBy(Asking.class), "upstream's server closes the connection, with Java 15 and later");

        assertEquals("CN=localhost", new Asking().call());
    }

    @Test
    void shouldRefuseAClientThatHasNoCertificate() {
        String refusal = refusal(Map.of(REQUIRED, false));
        assertTrue(refusal.contains("The server may want a certificate (....thrift.tls.client.keystore.path)"), refusal);
    }

    @Test
    void shouldRefuseACertificateThatItDoesNotTrust() {
        String refusal = refusal(client(carol.keys(), server.trusted()));
        assertTrue(refusal.contains("that its own trust store trusts"), refusal);
    }

    @Test
    void shouldNotTalkToAServerThatItDoesNotTrust() {
        String refusal = refusal(client(server.keys(), carol.trusted()));
        assertTrue(refusal.contains("The server's certificate must be for localhost, and the trust store of this client"
            + " (....thrift.tls.client.truststore.path) must trust it."), refusal);
    }

    @Test
    void shouldServeAClientThatHasNoCertificateWhereNoneIsRequired() throws Exception {
        Map<String, Object> open = with(conf(), Map.of(REQUIRED, false));
        assertEquals("CN=ANONYMOUS", caller(open, open));
    }

    /** Why there is no connection for this client to a server that requires a certificate. */
    private static String refusal(Map<String, Object> client) {
        return assertThrows(RuntimeException.class, () -> caller(conf(), with(conf(), client))).toString();
    }

    private static Map<String, Object> conf() {
        return conf(server);
    }

    /** Of a server, and of a client with the same certificate. */
    private static Map<String, Object> conf(Stores stores) {
        return with(TlsServer.conf("nimbus", stores), Map.of("nimbus.thrift.tls.port", 0));
    }

    private static Map<String, Object> client(String keys, String trusted) {
        return TlsServer.stores("nimbus", "client", keys, trusted);
    }

    /** Who the server takes a client for that asks, or nobody. */
    private static String caller(Map<String, Object> conf, Map<String, Object> client) throws Exception {
        AtomicReference<String> caller = new AtomicReference<>(NOBODY);
        TProcessor noting = (in, out) -> {
            caller.set(ReqContext.context().principal().getName());
            throw new TException("It has asked.");
        };
        try (TlsServer served = new TlsServer(conf, noting, ThriftConnectionType.NIMBUS_TLS);
                ThriftClient asking = new ThriftClient(client, ThriftConnectionType.NIMBUS_TLS, TlsServer.HOST, served.port(),
                    CertifiedServer.TIMEOUT_MS)) {
            asking.transport().write(new byte[] {1});
            asking.transport().flush();
            // Returns when the server has closed the connection.
            assertThrows(TException.class, () -> asking.transport().read(new byte[1], 0, 1));
        }
        return caller.get();
    }

    /** Asks over TLS with a certificate; returns who the server takes it for. */
    static final class Asking implements Callable<String> {

        @Override
        public String call() throws Exception {
            Map<String, Object> conf = conf(new Stores(TlsServer.HOST));
            return caller(conf, conf);
        }
    }
}
