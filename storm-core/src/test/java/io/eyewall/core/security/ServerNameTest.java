package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
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

        private static final String PASSWORD = "changeit";
        private static final int TIMEOUT_MS = 30_000;

        @Override
        public Boolean call() throws Exception {
            return isTalkedTo("other.example", Map.of());
        }

        static boolean isTalkedTo(String certified, Map<String, Object> clientConf) throws Exception {
            Path directory = Files.createTempDirectory("tls");
            Path keys = directory.resolve("keys.p12");
            Path trusted = directory.resolve("trusted.p12");
            Path certificate = directory.resolve("certificate");
            keytool("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=" + certified, "-ext", "SAN=dns:" + certified,
                "-keystore", keys.toString());
            keytool("-exportcert", "-alias", "server", "-file", certificate.toString(), "-keystore", keys.toString());
            keytool("-importcert", "-noprompt", "-alias", "server", "-file", certificate.toString(), "-keystore", trusted.toString());
            try (SSLServerSocket server = listening(keys)) {
                FutureTask<Boolean> talkedTo = new FutureTask<>(() -> isSentSomething(server));
                new Thread(talkedTo, "server").start();
                call(server.getLocalPort(), trusted, clientConf);
                return talkedTo.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
            }
        }

        private static void call(int port, Path trusted, Map<String, Object> clientConf) {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.put("nimbus.thrift.tls.client.truststore.path", trusted.toString());
            conf.put("nimbus.thrift.tls.client.truststore.password", PASSWORD);
            conf.put("nimbus.thrift.tls.client.auth.required", false);
            conf.putAll(clientConf);
            try (ThriftClient client = new ThriftClient(conf, ThriftConnectionType.NIMBUS_TLS, "localhost", port, TIMEOUT_MS)) {
                client.transport().write(new byte[] {1});
                client.transport().flush();
            } catch (TException e) {
                return; // The server ends the connection, or the client does.
            }
        }

        private static SSLServerSocket listening(Path keys) throws Exception {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = new FileInputStream(keys.toFile())) {
                store.load(in, PASSWORD.toCharArray());
            }
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getByName("localhost"));
        }

        private static boolean isSentSomething(SSLServerSocket server) {
            try (SSLSocket client = (SSLSocket) server.accept()) {
                client.setSoTimeout(TIMEOUT_MS);
                return client.getInputStream().read() >= 0;
            } catch (IOException e) {
                return false;
            }
        }

        private static void keytool(String... arguments) throws Exception {
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
            command.addAll(List.of(arguments));
            command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
            Process process = new ProcessBuilder(command).inheritIO().start();
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("keytool failed: " + command);
            }
        }
    }
}
