package io.eyewall.core.security;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.security.KeyStore;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A server on this host over TLS, with a certificate for a name, that waits for one connection. */
final class CertifiedServer implements AutoCloseable {

    static final int TIMEOUT_MS = 30_000;

    private final Stores stores;
    private final SSLServerSocket socket;
    private final FutureTask<Boolean> sent = new FutureTask<>(this::isSentSomething);

    CertifiedServer(String certified) throws Exception {
        stores = new Stores(certified);
        socket = listening();
        new Thread(sent, "server").start();
    }

    int port() {
        return socket.getLocalPort();
    }

    /** A store of keys with the server's. */
    String keys() {
        return stores.keys();
    }

    /** A store of certificates with the server's. */
    String trusted() {
        return stores.trusted();
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
        try (InputStream in = new FileInputStream(stores.keys())) {
            store.load(in, Stores.PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, Stores.PASSWORD.toCharArray());
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
}
