package io.eyewall.examples;

import io.eyewall.examples.configuration.ConfigurationException;
import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;

/**
 * A topology together with its configuration, checked and completed for submission. Of the file system, it only checks the input file.
 *
 * @param topology      the built topology
 * @param configuration the given configuration, with the path of the input and a limit on pending messages
 */
public record Submission(StormTopology topology, Map<String, Object> configuration) {

    /** Pending messages per spout task if the configuration sets no limit. Without a limit, a spout without a rate fills the memory. */
    private static final int MAX_SPOUT_PENDING = 1000;
    private static final String BUILT_IN_TEXT = "data/europarl.txt";

    /**
     * Checks a configuration, completes it and builds the topology with it.
     *
     * @param given   the configuration that the user submits
     * @param cluster the configuration of the cluster, of which the submission adopts the examples' own keys
     * @throws ConfigurationException if a value is not allowed, a key names a component that the topology does not have, or the input is
     *     missing
     */
    public static Submission of(ExampleTopology example, Map<String, Object> given, Map<String, Object> cluster) {
        Map<String, Object> complete = new HashMap<>();
        cluster.forEach((key, value) -> {
            if (ExampleKeys.isKey(key)) {
                complete.put(key, value);
            }
        });
        complete.putAll(example.requiredConfiguration());
        complete.putAll(given);
        if (example.readsInput()) {
            complete.put(ExampleKeys.INPUT.name(), input(new ExampleConfiguration(complete)));
        }
        if (given.get(Config.TOPOLOGY_MAX_SPOUT_PENDING) == null && cluster.get(Config.TOPOLOGY_MAX_SPOUT_PENDING) == null) {
            complete.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, MAX_SPOUT_PENDING);
        }
        ExampleConfiguration configuration = new ExampleConfiguration(complete);
        StormTopology topology = example.build(configuration);
        requireComponents(example, topology, configuration);
        return new Submission(topology, complete);
    }

    private static void requireComponents(ExampleTopology example, StormTopology topology, ExampleConfiguration configuration) {
        Set<String> components = new TreeSet<>(topology.get_spouts().keySet());
        components.addAll(topology.get_bolts().keySet());
        configuration.overriddenComponents().forEach((component, key) -> {
            if (!components.contains(component)) {
                throw new ConfigurationException(String.format("%s names the component '%s', but the components of %s are %s",
                    key, component, example.name(), String.join(", ", components)));
            }
        });
    }

    private static String input(ExampleConfiguration configuration) {
        Path file = configuration.text(ExampleKeys.INPUT).map(Path::of).orElseGet(Submission::builtInText);
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new ConfigurationException(
                String.format("%s is '%s', but must be a readable file", ExampleKeys.INPUT.name(), file));
        }
        return file.toString();
    }

    /** The file beside the jar, in the build directory and in the distribution. In tests, the file beside the classes. */
    private static Path builtInText() {
        try {
            File code = new File(Submission.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return code.toPath().resolveSibling(BUILT_IN_TEXT);
        } catch (URISyntaxException noFile) {
            throw new ConfigurationException(ExampleKeys.INPUT.name() + " is not set, and the location of the jar is unknown:"
                + " give the path of a file");
        }
    }
}
