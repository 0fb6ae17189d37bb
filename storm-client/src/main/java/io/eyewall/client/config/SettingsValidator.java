package io.eyewall.client.config;

import java.util.List;
import org.apache.storm.validation.ConfigValidation;

/**
 * Lets Storm's validation check a group's settings: the group's key constants carry
 * {@code @CustomValidator(validatorClass = …)} with a subclass of this.
 */
public abstract class SettingsValidator extends ConfigValidation.Validator {

    private final List<Setting<?>> settings;

    /** Made with the group's settings by a subclass that Storm instantiates without arguments. */
    protected SettingsValidator(List<Setting<?>> settings) {
        this.settings = settings;
    }

    /**
     * Checks one key.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    @Override
    public void validateField(String key, Object value) {
        if (value == null) {
            return;
        }
        for (Setting<?> setting : settings) {
            if (setting.key().equals(key)) {
                setting.parse(value);
            }
        }
    }
}
