package io.eyewall.client.settings;

import java.util.List;
import org.apache.storm.validation.ConfigValidation;

/**
 * Lets Storm's validation check a group's settings: the group's key constants have the annotation
 * {@code @CustomValidator(validatorClass = …)} with a subclass of this class, which is nested in the group.
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
     * @param constant the name of the constant that holds the key, which is what Storm's validation gives
     * @throws IllegalArgumentException names the key, the value and the range
     */
    @Override
    public void validateField(String constant, Object value) {
        if (value == null) {
            return;
        }
        String key = key(constant);
        settings.stream().filter(setting -> setting.key().equals(key)).findFirst()
            .orElseThrow(() -> new IllegalStateException(key + " is not among the settings of its group: add it there."))
            .parse(value);
    }

    private String key(String constant) {
        try {
            return (String) getClass().getDeclaringClass().getField(constant).get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The constant " + constant + " of the class around " + getClass().getName() + " is no key.", e);
        }
    }
}
