package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * streamparse, a client from PyPI that is written against upstream's REST API. It is installed into a virtual environment, which later runs
 * find again.
 */
final class Streamparse {

    private static final String VERSION = "5.0.1";
    /** It imports {@code pkg_resources}, which later versions do not have. */
    private static final String SETUPTOOLS = "setuptools==80.9.0";

    private static final Path ENVIRONMENT = Path.of(System.getProperty("user.home"), ".cache", "eyewall", "streamparse-" + VERSION);
    private static final String PYTHON = ENVIRONMENT.resolve("bin").resolve("python").toString();
    private static final String BETWEEN = "\f";

    private final Path directory;

    private Streamparse(Path directory) throws IOException, InterruptedException {
        this.directory = Files.createDirectories(directory);
        // The last that is written: an installation that was interrupted is made again.
        Path finished = ENVIRONMENT.resolve("finished");
        if (!Files.exists(finished)) {
            run(List.of("python3", "-m", "venv", "--clear", ENVIRONMENT.toString()));
            run(List.of(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile",
                "streamparse==" + VERSION, SETUPTOOLS));
            Files.createFile(finished);
        }
    }

    /** Begins to install it, if no earlier run has; it keeps its configuration and output in the directory. */
    static CompletableFuture<Streamparse> install(Path directory) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new Streamparse(directory);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot install streamparse", e);
            } catch (InterruptedException e) {
                throw new IllegalStateException("Interrupted while installing streamparse", e);
            }
        });
    }

    /**
     * What {@code sparse stats} prints of the cluster, of a topology and of a component of it, with the UI at that address; without its
     * check for Leiningen.
     */
    List<String> stats(String ui, String topology, String component) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("config.json"), "{\"envs\": {\"eyewall\": {\"nimbus\": \"localhost\","
            + " \"use_ssh_for_nimbus\": false, \"ui.port\": " + URI.create(ui).getPort() + "}}}");
        String printed = run(List.of(PYTHON, "-W", "ignore", "-c", """
            import sys
            from streamparse.cli.stats import display_stats
            for number in range(3):
                display_stats('eyewall', *sys.argv[1:1 + number])
                print('\\f')
            """, topology, component));
        return List.of(printed.split(BETWEEN, -1));
    }

    private String run(List<String> line) throws IOException, InterruptedException {
        Path output = directory.resolve("streamparse.out");
        Process process = new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true)
            .redirectOutput(output.toFile()).start();
        assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> line + " does not end: see " + output);
        String printed = Files.readString(output);
        assertEquals(0, process.exitValue(), () -> line + " failed. It needs python3-venv, and PyPI or a mirror of it:\n" + printed);
        return printed;
    }
}
