package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.ThriftClient;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.ThriftServer;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Whom Nimbus takes a client over TLS for. */
class ClientCertificateTest {

    /** Who looks whether the server listens. */
    private static final String ANONYMOUS = "CN=ANONYMOUS";

    @Test
    void shouldKnowTheClientByItsCertificate() throws Exception {
        assertEquals("nobody", Upstream.attackedBy(Asking.class), "upstream's server closes the connection, with Java 15 and later");

        assertEquals("CN=localhost", new Asking().call());
    }

    /** Asks over TLS with a certificate; returns who the server takes it for. */
    static final class Asking implements Callable<String> {

        @Override
        public String call() throws Exception {
            try (CertifiedServer stores = new CertifiedServer("localhost")) {
                Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
                int port = freePort();
                conf.put("nimbus.thrift.tls.port", port);
                for (String side : new String[] {"server", "client"}) {
                    conf.put("nimbus.thrift.tls." + side + ".keystore.path", stores.keys());
                    conf.put("nimbus.thrift.tls." + side + ".keystore.password", CertifiedServer.PASSWORD);
                    conf.put("nimbus.thrift.tls." + side + ".truststore.path", stores.trusted());
                    conf.put("nimbus.thrift.tls." + side + ".truststore.password", CertifiedServer.PASSWORD);
                }
                AtomicReference<String> caller = new AtomicReference<>("nobody");
                ThriftServer server = new ThriftServer(conf, (in, out) -> {
                    String name = ReqContext.context().principal().getName();
                    if (!name.equals(ANONYMOUS)) {
                        caller.set(name);
                    }
                    throw new TException("It has asked.");
                }, ThriftConnectionType.NIMBUS_TLS);
                Thread serving = new Thread(server::serve, "server over TLS");
                serving.setDaemon(true);
                serving.start();
                ask(conf, port);
                server.stop();
                return caller.get();
            }
        }

        /** Returns when the server has closed the connection. */
        private static void ask(Map<String, Object> conf, int port) {
            Awaitility.await().atMost(Duration.ofMinutes(2)).ignoreExceptionsInstanceOf(IOException.class).until(() -> {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return true;
            });
            try (ThriftClient client =
                new ThriftClient(conf, ThriftConnectionType.NIMBUS_TLS, "localhost", port, CertifiedServer.TIMEOUT_MS)) {
                client.transport().write(new byte[] {1});
                client.transport().flush();
                client.transport().read(new byte[1], 0, 1);
            } catch (TException e) {
                return; // It has closed it.
            }
        }

        private static int freePort() throws IOException {
            try (ServerSocket free = new ServerSocket(0)) {
                return free.getLocalPort();
            }
        }
    }
}
