package io.eyewall.integration.bench.elastic;

import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;

/**
 * A change by {@code storm scale}.
 *
 * @param home Eyewall's installation
 * @param machines how many machines more, or fewer if negative
 * @param strategy the value of the command's option {@code --strategy}
 */
record StormScaleChange(StormHome home, int machines, String strategy) implements ElasticSide.Change {

    /** How a command ended. */
    private record Outcome(int exitCode, String output) {
    }

    /** Waits until the scheduler has measured the topology. */
    @Override
    public void prepare(ProcessCluster cluster, String topology) {
        cluster.await(topology + " is measured", () -> storm(cluster, topology, "--dry-run").exitCode() == 0);
    }

    @Override
    public void apply(ProcessCluster cluster, String topology) {
        Outcome outcome = storm(cluster, topology);
        if (outcome.exitCode() != 0) {
            throw new IllegalStateException("storm scale " + topology + " ended with exit code " + outcome.exitCode() + ": "
                + outcome.output());
        }
    }

    private Outcome storm(ProcessCluster cluster, String topology, String... more) {
        List<String> command = new ArrayList<>(List.of(home.root().resolve("bin").resolve("storm").toString(), "scale", topology,
            machines > 0 ? "--out" : "--in", String.valueOf(Math.abs(machines)), "--strategy", strategy));
        command.addAll(List.of(more));
        try {
            Path configuration = cluster.logs().resolve("scale.yaml");
            Files.writeString(configuration, new Yaml().dump(cluster.settings()));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("STORM_CONF_FILE", configuration.toString());
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + String.join(" ", command), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while it ran " + String.join(" ", command), e);
        }
    }
}
