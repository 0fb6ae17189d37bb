package io.eyewall.examples.configuration;

/**
 * A topology cannot be submitted with this configuration. The message is one line that names the key, its value and the allowed values.
 */
public final class ConfigurationException extends IllegalArgumentException {

    public ConfigurationException(String message) {
        super(message);
    }
}
