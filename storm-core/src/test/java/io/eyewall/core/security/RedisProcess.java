package io.eyewall.core.security;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** A Redis server on a free port of the loopback, which keeps nothing on disk. Where Redis is not installed, the test is skipped. */
final class RedisProcess implements AutoCloseable {

    private static final String PROGRAM = "redis-server";

    private final Process process;
    private final int port;

    private RedisProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static RedisProcess start(Path directory) throws IOException {
        assumeTrue(Stream.of(System.getenv("PATH").split(":", -1)).anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM))),
            PROGRAM + " is not installed");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        RedisProcess server = new RedisProcess(new ProcessBuilder(PROGRAM, "--bind", "127.0.0.1", "--port", String.valueOf(port), "--save",
            "", "--appendonly", "no", "--dir", directory.toString()).redirectErrorStream(true)
            .redirectOutput(directory.resolve("redis.log").toFile()).start(), port);
        await().atMost(Duration.ofMinutes(2)).ignoreExceptionsInstanceOf(IOException.class).until(() -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
        return server;
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
