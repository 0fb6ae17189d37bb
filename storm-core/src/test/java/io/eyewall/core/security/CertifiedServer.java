package io.eyewall.core.security;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A server on this host over TLS, with a certificate for a name, that waits for one connection. */
final class CertifiedServer implements AutoCloseable {

    /** Of the key store and the trust store. */
    static final String PASSWORD = "changeit";
    static final int TIMEOUT_MS = 30_000;

    private final Path directory = Files.createTempDirectory("tls");
    private final SSLServerSocket socket;
    private final FutureTask<Boolean> sent = new FutureTask<>(this::isSentSomething);

    CertifiedServer(String certified) throws Exception {
        Path certificate = directory.resolve("certificate");
        keytool("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=" + certified, "-ext", "SAN=dns:" + certified,
            "-keystore", keys());
        keytool("-exportcert", "-alias", "server", "-file", certificate.toString(), "-keystore", keys());
        keytool("-importcert", "-noprompt", "-alias", "server", "-file", certificate.toString(), "-keystore", trusted());
        socket = listening();
        new Thread(sent, "server").start();
    }

    int port() {
        return socket.getLocalPort();
    }

    /** A store of keys with the server's. */
    String keys() {
        return directory.resolve("keys.p12").toString();
    }

    /** A store of certificates with the server's. */
    String trusted() {
        return directory.resolve("trusted.p12").toString();
    }

    /** Whether the client that connects sends something, which it does after the handshake only; waits for it. */
    boolean isTalkedTo() throws Exception {
        return sent.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    /** Whether the client has sent something, or is gone. */
    boolean hasHeard() {
        return sent.isDone();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private SSLServerSocket listening() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = new FileInputStream(keys())) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getByName("localhost"));
    }

    private boolean isSentSomething() {
        try (SSLSocket client = (SSLSocket) socket.accept()) {
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
