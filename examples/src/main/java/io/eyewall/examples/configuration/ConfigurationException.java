package io.eyewall.examples.configuration;

/**
 * A value that a topology cannot be submitted with. The message is one line that names the key, the value and what is allowed.
 */
public final class ConfigurationException extends IllegalArgumentException {

    public ConfigurationException(String message) {
        super(message);
    }
}
