package io.eyewall.web;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** What Eyewall's UI has beyond Storm's {@code ui.…} keys, in its {@code storm.yaml}. */
public final class UiSettings implements SettingsGroup {

    /** Whether responses may be wrapped in a function. */
    @CustomValidator(validatorClass = Check.class)
    public static final String JSONP = "ui.jsonp.enabled";

    private static final Setting<Boolean> JSONP_SETTING = Setting.flag(JSONP, false, "Whether the REST API of `storm ui` wraps a"
        + " response in the function that the parameter `callback` names (JSONP). Then a page of any site can read what its reader may"
        + " read.");

    private static final List<Setting<?>> SETTINGS = List.of(JSONP_SETTING);

    private final boolean jsonp;

    /** The defaults. */
    public UiSettings() {
        this(Map.of());
    }

    /**
     * The settings of a UI.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public UiSettings(Map<String, Object> conf) {
        jsonp = JSONP_SETTING.of(conf);
    }

    /** Whether responses may be wrapped in a function. */
    public boolean jsonp() {
        return jsonp;
    }

    @Override
    public String title() {
        return "Web interface";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** How Storm's validation checks the key. */
    public static final class Check extends SettingsValidator {

        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
