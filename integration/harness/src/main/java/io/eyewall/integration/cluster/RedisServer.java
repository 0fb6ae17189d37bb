package io.eyewall.integration.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A Redis server on a free port of this machine, empty at first, which keeps nothing on disk. Thread safe. */
public final class RedisServer implements AutoCloseable {

    private static final String PROGRAM = "redis-server";
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Daemon daemon;
    private final int port;

    private RedisServer(Path directory) {
        port = Ports.free();
        daemon = new Daemon("redis", List.of(PROGRAM, "--bind", "127.0.0.1", "--port", Integer.toString(port), "--save", "",
            "--appendonly", "no"), directory, directory);
    }

    /** Why this machine cannot run one, or empty if it can. */
    public static Optional<String> unavailabilityCause() {
        boolean installed = Stream.of(System.getenv("PATH").split(Pattern.quote(System.getProperty("path.separator")), -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)));
        return installed ? Optional.empty() : Optional.of("no " + PROGRAM + " on the PATH: install the package " + PROGRAM);
    }

    /** Starts one, with its log in {@code redis.out} of the directory, and returns when it listens. */
    public static RedisServer start(Path directory) {
        RedisServer server = new RedisServer(directory);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end of Redis"));
        server.daemon.start();
        try {
            Awaitility.await("Redis listens; if it does not, it says why in " + directory.resolve("redis.out")).atMost(TIMEOUT)
                .until(() -> Ports.listens(server.port));
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** The TCP port on localhost. */
    public int port() {
        return port;
    }

    /** Kills it. Does nothing the second time. */
    @Override
    public void close() {
        daemon.kill();
    }
}
