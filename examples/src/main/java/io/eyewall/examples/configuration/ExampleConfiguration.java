package io.eyewall.examples.configuration;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The values of the examples' keys in a topology's configuration. Immutable.
 */
public final class ExampleConfiguration implements Serializable {

    private final HashMap<String, Long> numbers = new HashMap<>();
    private final HashMap<String, String> texts = new HashMap<>();

    /**
     * Reads and checks every key.
     *
     * @param topologyConfiguration as Storm passes it to a component; other keys are ignored
     * @throws ConfigurationException if a value is out of range
     */
    public ExampleConfiguration(Map<String, Object> topologyConfiguration) {
        for (ExampleKey key : ExampleKeys.all()) {
            if (key.isNumber()) {
                numbers.put(key.name(), key.readNumber(topologyConfiguration));
            } else {
                texts.put(key.name(), key.readText(topologyConfiguration));
            }
            if (key.perComponent()) {
                readOverrides(key, topologyConfiguration);
            }
        }
        requireAbsolute(ExampleKeys.INPUT);
        requireAbsolute(ExampleKeys.RATE_FILE);
        if (number(ExampleKeys.RATE_PER_SEC) > 0 && text(ExampleKeys.RATE_FILE).isPresent()) {
            throw new ConfigurationException(ExampleKeys.RATE_PER_SEC.name() + " and " + ExampleKeys.RATE_FILE.name()
                + " are both set: set one of them");
        }
        requireAbsolute(ExampleKeys.MEASURE_DIR);
        requireAbsolute(ExampleKeys.RESULTS_DIR);
    }

    /**
     * The value of a numeric key for the whole topology.
     */
    public long number(ExampleKey key) {
        return numbers.get(key.name());
    }

    /**
     * The value of a numeric key for one component, if the configuration overrides it.
     */
    public OptionalLong override(ExampleKey key, String component) {
        Long override = numbers.get(key.name() + '.' + component);
        return override == null ? OptionalLong.empty() : OptionalLong.of(override);
    }

    /**
     * The value of a text key, unless it is empty.
     */
    public Optional<String> text(ExampleKey key) {
        return Optional.of(texts.get(key.name())).filter(text -> !text.isEmpty());
    }

    /**
     * The components for which the configuration overrides a key, each with that key.
     */
    public Map<String, String> overriddenComponents() {
        Set<String> names = ExampleKeys.all().stream().map(ExampleKey::name).collect(Collectors.toSet());
        Map<String, String> components = new HashMap<>();
        for (String name : numbers.keySet()) {
            if (!names.contains(name)) {
                String key = names.stream().filter(each -> name.startsWith(each + '.')).findFirst().orElseThrow();
                components.put(name.substring(key.length() + 1), name);
            }
        }
        return components;
    }

    private void readOverrides(ExampleKey key, Map<String, Object> topologyConfiguration) {
        String prefix = key.name() + '.';
        topologyConfiguration.forEach((name, value) -> {
            if (name.startsWith(prefix) && value != null) {
                numbers.put(name, key.parse(name, value));
            }
        });
    }

    private void requireAbsolute(ExampleKey key) {
        String path = texts.get(key.name());
        if (!path.isEmpty() && !Path.of(path).isAbsolute()) {
            throw new ConfigurationException(String.format(
                "%s is '%s', but must be an absolute path, since each worker runs in another directory", key.name(), path));
        }
    }
}
