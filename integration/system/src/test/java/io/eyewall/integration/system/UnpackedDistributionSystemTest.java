package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A distribution that was unpacked into an empty directory, with a storm.yaml of one's own, works through its own bin/storm. */
@Tag("system")
class UnpackedDistributionSystemTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Duration BETWEEN_COMMANDS = Duration.ofSeconds(2);

    private final Path directory = Installations.workDirectory("unpacked");
    private final int nimbusPort = Ports.free();
    private final List<Daemon> daemons = new ArrayList<>();
    private Path home;

    @BeforeEach
    void unpack() throws Exception {
        Files.createDirectories(directory);
        assertEquals(0, new ProcessBuilder("tar", "-xzf", Installations.archive().toString(), "-C", directory.toString())
            .inheritIO().start().waitFor());
        home = directory.resolve("eyewall-" + System.getProperty("eyewall.version"));
        Map<String, Object> settings = new TreeMap<>(QuickSettings.all());
        settings.put("storm.local.dir", directory.resolve("state").toString());
        settings.put("storm.log.dir", directory.resolve("logs").toString());
        settings.put("storm.local.hostname", "localhost");
        settings.put("storm.zookeeper.port", Ports.free());
        settings.put("dev.zookeeper.path", directory.resolve("zookeeper").toString());
        settings.put("nimbus.thrift.port", nimbusPort);
        settings.put("supervisor.thrift.port", Ports.free());
        settings.put("supervisor.slots.ports", Ports.free(2));
        Files.writeString(home.resolve("conf").resolve("storm.yaml"), new Yaml().dump(settings));
    }

    @AfterEach
    void end() {
        for (Daemon daemon : daemons) {
            List<ProcessHandle> workers = ProcessHandle.of(daemon.pid()).map(process -> process.descendants().toList()).orElse(List.of());
            daemon.kill();
            workers.forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void shouldRunATopologyWithNothingButItsOwnCommand() throws Exception {
        for (String name : List.of("dev-zookeeper", "nimbus", "supervisor")) {
            Daemon daemon = new Daemon(name, List.of(storm(), name), directory, directory.resolve("logs"));
            daemon.start();
            daemons.add(daemon);
        }
        Awaitility.await("Nimbus listens").atMost(TIMEOUT).until(() -> Ports.listens(nimbusPort));
        Awaitility.await("Nimbus answers").pollInterval(BETWEEN_COMMANDS).atMost(TIMEOUT).until(() -> run("list").exitCode == 0);
        Path output = directory.resolve("output");
        Outcome submitted = run("jar", Installations.dropInJar().toString(), "io.eyewall.integration.dropin.Submit", "ticks",
            "-c", "dropin.output=" + output);
        assertEquals(0, submitted.exitCode, submitted.text);
        Awaitility.await("ten numbers and three ticks are written").atMost(TIMEOUT)
            .until(() -> Lines.of(output.resolve("ticks"), "ticked").size() == 13);
        assertTrue(run("list").text.matches("(?s).*ticks\\s+ACTIVE.*"), () -> "storm list does not show the topology");
        Outcome killed = run("kill", "ticks", "-w", "0");
        assertEquals(0, killed.exitCode, killed.text);
        Awaitility.await("the topology is gone").pollInterval(BETWEEN_COMMANDS).atMost(TIMEOUT)
            .until(() -> !run("list").text.contains("ticks"));
    }

    @Test
    void shouldSayWhereToLookWhenNoNimbusTakesAnExample() throws Exception {
        Path examples = home.resolve("examples").resolve("eyewall-examples-" + System.getProperty("eyewall.version") + ".jar");
        Outcome refused = run("jar", examples.toString(), "io.eyewall.examples.Main", "word-count", "counted", "-c",
            "storm.nimbus.retry.times=1");

        assertEquals(1, refused.exitCode, refused.text);
        assertTrue(refused.text.matches("(?s).*storm: no leading Nimbus found at \\S+:[0-9]+\\. Start one with `storm nimbus`, .*"),
            refused.text);
        assertFalse(refused.text.contains("\tat "), refused.text);
    }

    /** Alone, since it compares times. */
    @Test
    @Tag("long")
    @Tag("alone")
    void shouldShowTheDemoAndLeaveNothingRunning() throws Exception {
        Outcome demo = run("demo", "--seconds", "6");

        assertEquals(0, demo.exitCode, demo.text);
        assertTrue(demo.text.matches("(?s).*storm, due to processed +[1-9].*eyewall, due to acked +[1-9].*\nratio +[0-9].*"), demo.text);
        for (String result : List.of("Histograms: ", "Plot: ")) {
            String file = demo.text.lines().filter(line -> line.startsWith(result)).findFirst().orElseThrow()
                .substring(result.length()).strip();
            assertTrue(Files.size(Path.of(file)) > 0, file);
        }
        assertEquals(List.of(), ProcessHandle.allProcesses().filter(process -> process.info().commandLine().orElse("")
            .contains(directory.toString())).map(ProcessHandle::pid).toList());
    }

    private String storm() {
        return home.resolve("bin").resolve("storm").toString();
    }

    private Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(storm()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), text);
    }

    private record Outcome(int exitCode, String text) {
    }
}
