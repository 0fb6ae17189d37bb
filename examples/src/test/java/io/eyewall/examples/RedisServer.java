package io.eyewall.examples;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A Redis server for one test, on a free port and without files, which is killed at the end. Where Redis is not installed, the test is
 * skipped.
 */
final class RedisServer implements AutoCloseable {

    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final String PROGRAM = "redis-server";

    private final Process process;
    private final int port;
    private final RedisClient client;

    private RedisServer(Process process, int port) {
        this.process = process;
        this.port = port;
        client = RedisClient.create(host(), port);
    }

    static RedisServer start(Path directory) throws IOException {
        assumeTrue(isInstalled(), PROGRAM + " is not installed: apt-get install redis-server");
        Files.createDirectories(directory);
        int port = freePort();
        Process process = new ProcessBuilder(PROGRAM, "--bind", InetAddress.getLoopbackAddress().getHostAddress(), "--port",
            Integer.toString(port), "--save", "", "--appendonly", "no", "--dir", directory.toString())
            .redirectErrorStream(true).redirectOutput(directory.resolve("redis.log").toFile()).start();
        RedisServer server = new RedisServer(process, port);
        await().atMost(DEADLINE).ignoreExceptionsInstanceOf(JedisException.class).until(() -> server.client.ping().equals("PONG"));
        return server;
    }

    String host() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    int port() {
        return port;
    }

    /** The counts that the benchmark wrote, added up over all windows. */
    Map<String, Long> seenByCampaign() {
        Map<String, Long> seen = new TreeMap<>();
        for (String key : client.keys("eyewall:yahoo:window:*")) {
            seen.merge(key.split(":", -1)[3], Long.valueOf(client.hget(key, "seen")), Long::sum);
        }
        return seen;
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
        process.destroy();
        if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(":", -1)).anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM)));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
