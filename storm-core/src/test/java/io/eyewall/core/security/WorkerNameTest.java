package io.eyewall.core.security;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.CapturedLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.Level;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Which workers a worker sends tuples to over TLS. */
class WorkerNameTest {

    @Test
    void shouldSendToAWorkerWhoseCertificateIsForItsHost() throws Exception {
        assertEquals(false, Upstream.attackedBy(Sending.class));

        assertTrue(new Sending().call());
    }

    @Test
    void shouldSendNothingToAWorkerWithTheCertificateOfAnotherHost() throws Exception {
        try (CapturedLog log = new CapturedLog(Level.ERROR, Class.forName("io.eyewall.client.security.VerifiedWorkers"))) {
            assertFalse(Sending.isTalkedTo("other.example", Map.of()));

            String line = log.lines().get(0);
            assertTrue(line.matches("The certificate of the worker at localhost:\\d+ was refused \\(No .* matching localhost found.*\\)\\."
                + " It must be for localhost, and .*truststore\\.path must trust it\\. .* set storm\\.messaging\\.netty\\.tls\\.verify"
                + "\\.host to false\\."), line);
        }
    }

    @Test
    void shouldSendToAnyWorkerWithATrustedCertificateWhereNamesAreNotChecked() throws Exception {
        assertTrue(Sending.isTalkedTo("other.example", Map.of("storm.messaging.netty.tls.verify.host", false)));
    }

    /** A worker sends a tuple to this host, which has a certificate; returns whether it comes. */
    static final class Sending implements Callable<Boolean> {

        @Override
        public Boolean call() throws Exception {
            return isTalkedTo("localhost", Map.of());
        }

        static boolean isTalkedTo(String certified, Map<String, Object> workerConf) throws Exception {
            try (CertifiedServer server = new CertifiedServer(certified)) {
                Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
                conf.put("topology.name", "topology");
                conf.put("storm.messaging.netty.flush_timeout_ms", 100);
                conf.put("storm.messaging.netty.tls.enable", true);
                conf.put("storm.messaging.netty.tls.client.keystore.path", server.keys());
                conf.put("storm.messaging.netty.tls.client.keystore.password", Stores.PASSWORD);
                conf.put("storm.messaging.netty.tls.client.truststore.path", server.trusted());
                conf.put("storm.messaging.netty.tls.client.truststore.password", Stores.PASSWORD);
                conf.putAll(workerConf);
                Context context = new Context();
                context.prepare(conf);
                AtomicBoolean[] full = {new AtomicBoolean()};
                try (IConnection connection = context.connect("topology-1", "localhost", server.port(), full)) {
                    // What is sent before there is a connection is dropped.
                    await().atMost(Duration.ofMinutes(1)).until(() -> {
                        connection.send(List.of(new TaskMessage(1, new byte[] {1})).iterator());
                        return server.hasHeard();
                    });
                    return server.isTalkedTo();
                } finally {
                    context.term();
                }
            }
        }
    }
}
