package io.eyewall.integration.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;

/**
 * One side of a comparison.
 *
 * @param letter A, B, ...; the others are compared with A
 * @param label its name in the tables
 * @param installation the installation that it runs on
 * @param settings topology configuration on top of the scenario's
 */
public record Side(char letter, String label, Installation installation, Map<String, Object> settings) {

    /** An installation that a topology can run on. */
    public enum Installation {
        /** Upstream Storm from its own artifacts. */
        UPSTREAM,
        /** This project's. */
        EYEWALL,
        /** Apache Flink, with jobs in the place of topologies. */
        FLINK;

        /** The name in files, options and messages. */
        String lowerCaseName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String INSTALLATION_KEY = "eyewall.home";

    /** An installation in its own configuration. */
    static Side of(char letter, Installation installation) {
        return new Side(letter, installation.lowerCaseName(), installation, Map.of());
    }

    /**
     * Reads a side from a YAML file of topology configuration. Its key {@code eyewall.home}, with the value {@code upstream} or {@code
     * eyewall}, names the installation; without it, Eyewall. The side has the name of the file.
     *
     * @throws IllegalArgumentException if the file is anything else
     */
    static Side read(char letter, Path file) throws IOException {
        Map<String, Object> settings = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : parse(file).entrySet()) {
            settings.put(String.valueOf(entry.getKey()), entry.getValue());
        }
        Object home = settings.remove(INSTALLATION_KEY);
        Installation installation = Installation.EYEWALL;
        if (home != null) {
            installation = switch (home.toString()) {
                case "upstream" -> Installation.UPSTREAM;
                case "eyewall" -> Installation.EYEWALL;
                default -> throw new IllegalArgumentException(file + ": " + INSTALLATION_KEY + " is " + home
                    + ": write upstream or eyewall");
            };
        }
        return new Side(letter, String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", ""), installation, settings);
    }

    /** Whether its latencies begin when a message is emitted, and not when it is due. */
    boolean measuresFromEmit() {
        return Integer.valueOf(1).equals(settings.get("eyewall.latency.from.emit"));
    }

    private static Map<?, ?> parse(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(file + ": expected a file, this is a directory");
        }
        try {
            Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
            if (content == null) {
                return Map.of();
            }
            if (content instanceof Map<?, ?> map) {
                return map;
            }
            throw new IllegalArgumentException(file + ": expected lines of the form key: value");
        } catch (YAMLException e) {
            throw new IllegalArgumentException(file + ": not YAML: " + e.getMessage().replaceAll("\\s+", " "), e);
        }
    }
}
