package io.eyewall.integration.system;

import io.eyewall.integration.cluster.SharedClasses;
import io.eyewall.integration.cluster.StormHome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The command {@code bin/storm} of an installation, with a configuration file. Its JVM shares classes as the cluster's do.
 *
 * @param home the installation
 * @param config a storm.yaml that says where the cluster is
 * @param environment variables of the command beside those of this process
 */
record StormCommand(StormHome home, Path config, Map<String, String> environment) {

    private static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";

    /** Without variables of its own. */
    StormCommand(StormHome home, Path config) {
        this(home, config, Map.of());
    }

    /** How a command ended: its exit code and what it wrote to standard output and standard error. */
    record Outcome(int exitCode, List<String> output, List<String> errors) {
    }

    /** The JVM's options for a daemon that is started by its command: little memory, and a quick start. */
    static String smallJvm() {
        return "-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + String.join(" ", SharedClasses.ofDaemons());
    }

    /** Runs it to its end. */
    Outcome run(String... arguments) {
        return runUntil(lines -> false, arguments);
    }

    /** Runs it to its end, or interrupts it when its output is enough. */
    Outcome runUntil(Predicate<List<String>> enough, String... arguments) {
        List<String> command = new ArrayList<>(List.of(home.root().resolve("bin").resolve("storm").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.environment().put("STORM_CONF_FILE", config.toString());
        builder.environment().merge(JAVA_OPTIONS, "-XX:+UseSerialGC " + String.join(" ", SharedClasses.ofDaemons()),
            (given, quick) -> given + " " + quick);
        builder.environment().put("STORM_JAR_JVM_OPTS", String.join(" ", SharedClasses.ofWorkers()));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            CompletableFuture<List<String>> errors = CompletableFuture.supplyAsync(() -> process.errorReader().lines()
                .filter(line -> !line.startsWith("NOTE: Picked up " + JAVA_OPTIONS)).toList());
            List<String> output = new ArrayList<>();
            try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = reader.readLine(); line != null && !enough.test(output); line = reader.readLine()) {
                    output.add(line);
                }
            } finally {
                process.destroy();
            }
            return new Outcome(process.waitFor(), output, errors.join());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + String.join(" ", command), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while this was running: " + String.join(" ", command), e);
        }
    }
}
