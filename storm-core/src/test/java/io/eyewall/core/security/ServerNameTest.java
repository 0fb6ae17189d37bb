package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.security.auth.ThriftClient;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Whom a client over TLS talks to. */
class ServerNameTest {

    @Test
    void shouldTalkToNobodyWithTheCertificateOfAnotherHost() throws Exception {
        assertEquals(true, Upstream.attackedBy(OtherHost.class));

        assertFalse(new OtherHost().call());
        assertTrue(OtherHost.isTalkedTo("localhost", Map.of()));
        assertTrue(OtherHost.isTalkedTo("other.example", Map.of("storm.thrift.tls.verify.host", false)));
    }

    /** Is taken for Nimbus with a certificate that its authority has made for another host; returns whether a client sends it a request. */
    static final class OtherHost implements Callable<Boolean> {

        @Override
        public Boolean call() throws Exception {
            return isTalkedTo("other.example", Map.of());
        }

        static boolean isTalkedTo(String certified, Map<String, Object> clientConf) throws Exception {
            try (CertifiedServer server = new CertifiedServer(certified)) {
                Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
                conf.put("nimbus.thrift.tls.client.truststore.path", server.trusted());
                conf.put("nimbus.thrift.tls.client.truststore.password", Stores.PASSWORD);
                conf.put("nimbus.thrift.tls.client.auth.required", false);
                conf.putAll(clientConf);
                call(server.port(), conf);
                return server.isTalkedTo();
            }
        }

        private static void call(int port, Map<String, Object> conf) {
            try (ThriftClient client =
                new ThriftClient(conf, ThriftConnectionType.NIMBUS_TLS, "localhost", port, CertifiedServer.TIMEOUT_MS)) {
                client.transport().write(new byte[] {1});
                client.transport().flush();
            } catch (TException | RuntimeException e) {
                return; // The server ends the connection, or the client does.
            }
        }
    }
}
