package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.ThriftServer;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.utils.Utils;

/** A server for Thrift over TLS on this host, and the settings of its ends. */
final class TlsServer implements AutoCloseable {

    static final String HOST = "localhost";

    private final ThriftServer server;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Serves from now on. */
    TlsServer(Map<String, Object> conf, TProcessor requests, ThriftConnectionType type) {
        server = new ThriftServer(conf, requests, type);
        Thread serving = new Thread(() -> {
            server.serve();
            ended.countDown();
        }, "server over TLS");
        serving.setDaemon(true);
        serving.start();
    }

    int port() {
        return server.getPort();
    }

    boolean isServing() {
        return server.isServing();
    }

    @Override
    public void close() throws InterruptedException {
        server.stop();
        assertTrue(ended.await(2, TimeUnit.MINUTES), "the server ends");
    }

    /** The settings of a daemon's server, and of a client with the same certificate. */
    static Map<String, Object> conf(String daemon, Stores stores) {
        return with(with(Utils.readDefaultConfig(), stores(daemon, "server", stores.keys(), stores.trusted())),
            stores(daemon, "client", stores.keys(), stores.trusted()));
    }

    /** The settings of one end. */
    static Map<String, Object> stores(String daemon, String side, String keys, String trusted) {
        String key = daemon + ".thrift.tls." + side;
        return Map.of(key + ".keystore.path", keys, key + ".keystore.password", Stores.PASSWORD,
            key + ".truststore.path", trusted, key + ".truststore.password", Stores.PASSWORD);
    }

    static Map<String, Object> with(Map<String, Object> conf, Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(conf);
        all.putAll(more);
        return all;
    }
}
