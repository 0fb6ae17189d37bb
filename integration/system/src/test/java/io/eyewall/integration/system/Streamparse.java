package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * streamparse, a client from PyPI that is written against upstream's REST API. It is installed into a virtual environment, which later runs
 * find again.
 */
final class Streamparse {

    private static final String VERSION = "5.0.1";
    /** It imports {@code pkg_resources}, which later versions do not have. */
    private static final String SETUPTOOLS = "setuptools==80.9.0";

    private final Path python;
    private final Path directory;

    /** One for the UI at an address; keeps its configuration and output in the directory. */
    Streamparse(String ui, Path directory) throws IOException, InterruptedException {
        this.directory = Files.createDirectories(directory);
        Files.writeString(directory.resolve("config.json"), "{\"envs\": {\"eyewall\": {\"nimbus\": \"localhost\","
            + " \"use_ssh_for_nimbus\": false, \"ui.port\": " + URI.create(ui).getPort() + "}}}");
        Path environment = Path.of(System.getProperty("user.home"), ".cache", "eyewall", "streamparse-" + VERSION);
        python = environment.resolve("bin").resolve("python");
        // The last that is written: an installation that was interrupted is made again.
        Path finished = environment.resolve("finished");
        if (!Files.exists(finished)) {
            run(List.of("python3", "-m", "venv", "--clear", environment.toString()));
            run(List.of(python.toString(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "streamparse==" + VERSION,
                SETUPTOOLS));
            Files.createFile(finished);
        }
    }

    /** What {@code sparse stats} prints of the cluster, a topology, or a component of one; without its check for Leiningen. */
    String stats(String... names) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(python.toString(), "-W", "ignore", "-c",
            "import sys; from streamparse.cli.stats import display_stats; display_stats('eyewall', *sys.argv[1:])"));
        line.addAll(List.of(names));
        return run(line);
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
