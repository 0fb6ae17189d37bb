package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.ThriftClient;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.ThriftServer;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whom Nimbus takes a client over TLS for. */
class ClientCertificateTest {

    private static final String NOBODY = "nobody";
    private static final String HOST = "localhost";
    private static final String KEY = "nimbus.thrift.tls.";

    private static Stores server;
    private static Stores carol;

    @BeforeAll
    static void certify() throws Exception {
        server = new Stores(HOST);
        carol = new Stores("carol");
    }

    @Test
    void shouldKnowTheClientByItsCertificate() throws Exception {
        assertEquals(NOBODY, Upstream.attackedBy(Asking.class), "upstream's server closes the connection, with Java 15 and later");

        assertEquals("CN=localhost", new Asking().call());
    }

    @Test
    void shouldRefuseAClientThatHasNoCertificate() {
        String refusal = refusal(Map.of(KEY + "client.auth.required", false));
        assertTrue(refusal.contains("The server may want a certificate (....thrift.tls.client.keystore.path)"), refusal);
    }

    @Test
    void shouldRefuseACertificateThatItDoesNotTrust() {
        String refusal = refusal(stores("client", carol.keys(), server.trusted()));
        assertTrue(refusal.contains("that its own trust store trusts"), refusal);
    }

    @Test
    void shouldNotTalkToAServerThatItDoesNotTrust() {
        String refusal = refusal(stores("client", server.keys(), carol.trusted()));
        assertTrue(refusal.contains("The server's certificate must be for localhost, and the trust store of this client"
            + " (....thrift.tls.client.truststore.path) must trust it."), refusal);
    }

    @Test
    void shouldServeAClientThatHasNoCertificateWhereNoneIsRequired() throws Exception {
        Map<String, Object> open = new HashMap<>(conf());
        open.put(KEY + "client.auth.required", false);
        assertEquals("CN=ANONYMOUS", caller(open, open));
    }

    /** Why there is no connection for this client to a server that requires a certificate. */
    private static String refusal(Map<String, Object> client) {
        Map<String, Object> conf = new HashMap<>(conf());
        conf.putAll(client);
        return assertThrows(RuntimeException.class, () -> caller(conf(), conf)).toString();
    }

    private static Map<String, Object> conf() {
        return conf(server);
    }

    /** Of a server, and of a client with the same certificate. */
    private static Map<String, Object> conf(Stores stores) {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(KEY + "port", 0);
        conf.putAll(stores("server", stores.keys(), stores.trusted()));
        conf.putAll(stores("client", stores.keys(), stores.trusted()));
        return conf;
    }

    private static Map<String, Object> stores(String side, String keys, String trusted) {
        return Map.of(KEY + side + ".keystore.path", keys, KEY + side + ".keystore.password", Stores.PASSWORD,
            KEY + side + ".truststore.path", trusted, KEY + side + ".truststore.password", Stores.PASSWORD);
    }

    /** Who the server takes a client for that asks, or nobody. */
    private static String caller(Map<String, Object> conf, Map<String, Object> client) throws Exception {
        AtomicReference<String> caller = new AtomicReference<>(NOBODY);
        CountDownLatch ended = new CountDownLatch(1);
        ThriftServer served = new ThriftServer(conf, (in, out) -> {
            caller.set(ReqContext.context().principal().getName());
            throw new TException("It has asked.");
        }, ThriftConnectionType.NIMBUS_TLS);
        Thread serving = new Thread(() -> {
            served.serve();
            ended.countDown();
        }, "server over TLS");
        serving.setDaemon(true);
        serving.start();
        try (ThriftClient asking = new ThriftClient(client, ThriftConnectionType.NIMBUS_TLS, HOST, served.getPort(),
                CertifiedServer.TIMEOUT_MS)) {
            asking.transport().write(new byte[] {1});
            asking.transport().flush();
            // Returns when the server has closed the connection.
            assertThrows(TException.class, () -> asking.transport().read(new byte[1], 0, 1));
        } finally {
            served.stop();
        }
        assertTrue(ended.await(2, TimeUnit.MINUTES), "the server ends");
        return caller.get();
    }

    /** Asks over TLS with a certificate; returns who the server takes it for. */
    static final class Asking implements Callable<String> {

        @Override
        public String call() throws Exception {
            Map<String, Object> conf = conf(new Stores(HOST));
            return caller(conf, conf);
        }
    }
}
