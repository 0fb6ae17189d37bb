package io.eyewall.examples.configuration;

import java.util.Map;
import java.util.Objects;

/**
 * One key: a whole number within a range, or a text.
 *
 * @param name         as given with {@code -c name=value}
 * @param defaultValue a {@link Long} for a number, a {@link String} for a text; an empty text or the number 0 usually means "not set"
 * @param min          the smallest allowed number; 0 for a text
 * @param max          the largest allowed number; 0 for a text
 * @param perComponent whether {@code name.COMPONENT} overrides it for one component
 * @param doc          one line for the reference table
 */
public record ExampleKey(String name, Object defaultValue, long min, long max, boolean perComponent, String doc) {

    static ExampleKey number(String name, long defaultValue, long min, long max, String doc) {
        return new ExampleKey(name, defaultValue, min, max, false, doc);
    }

    static ExampleKey numberPerComponent(String name, long defaultValue, long min, long max, String doc) {
        return new ExampleKey(name, defaultValue, min, max, true, doc);
    }

    static ExampleKey text(String name, String defaultValue, String doc) {
        return new ExampleKey(name, defaultValue, 0, 0, false, doc);
    }

    /**
     * Whether the value is a number.
     */
    public boolean isNumber() {
        return defaultValue instanceof Long;
    }

    /**
     * The value of this numeric key in a topology's configuration.
     *
     * @throws ConfigurationException if the value is not a whole number within the range
     */
    long readNumber(Map<String, Object> topologyConfiguration) {
        Object value = topologyConfiguration.get(name);
        return value == null ? (Long) defaultValue : parse(name, value);
    }

    /**
     * The value of this text key in a topology's configuration.
     */
    String readText(Map<String, Object> topologyConfiguration) {
        return Objects.requireNonNullElse(topologyConfiguration.get(name), defaultValue).toString();
    }

    /**
     * Parses a value.
     *
     * @param givenName the key's name, or its name with a component appended
     * @throws ConfigurationException if the value is not a whole number within the range
     */
    long parse(String givenName, Object value) {
        long number;
        try {
            number = Long.parseLong(value.toString().trim());
        } catch (NumberFormatException notWhole) {
            throw outOfRange(givenName, value);
        }
        if (number < min || number > max) {
            throw outOfRange(givenName, value);
        }
        return number;
    }

    private ConfigurationException outOfRange(String givenName, Object value) {
        return new ConfigurationException(
            String.format("%s is '%s', but must be a whole number from %d to %d", givenName, value, min, max));
    }
}
