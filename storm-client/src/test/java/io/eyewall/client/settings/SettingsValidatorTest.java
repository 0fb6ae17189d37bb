package io.eyewall.client.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidation;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;
import org.junit.jupiter.api.Test;

/** Public, as groups of settings are: Storm instantiates their validators. */
public class SettingsValidatorTest {

    @Test
    void shouldRefuseABadValueWhenStormValidates() {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> validate(Map.of(Group.PERIOD_SECS, 61)));
        assertEquals("period.secs is '61', but must be a whole number of seconds from 1 to 60.", error.getMessage());
    }

    @Test
    void shouldPassAGoodValueAndNone() {
        validate(Map.of(Group.PERIOD_SECS, 60));
        validate(Map.of());
        Map<String, Object> unset = new HashMap<>();
        unset.put(Group.PERIOD_SECS, null);
        validate(unset);
    }

    @Test
    void shouldNameTheKeyWhenItsSettingIsMissing() {
        IllegalStateException error = assertThrows(IllegalStateException.class, () -> validate(Map.of(Group.FORGOTTEN, "x")));
        assertEquals("forgotten is not among the settings of its group: add it there.", error.getMessage());
    }

    private static void validate(Map<String, Object> conf) {
        ConfigValidation.validateFields(conf, List.of(Group.class));
    }

    /** Keys as a feature declares them. */
    public static final class Group {

        @CustomValidator(validatorClass = Check.class)
        public static final String PERIOD_SECS = "period.secs";
        @CustomValidator(validatorClass = Check.class)
        public static final String FORGOTTEN = "forgotten";

        private static final List<Setting<?>> SETTINGS = List.of(Setting.integer(PERIOD_SECS, 10, 1, 60, "seconds", "How often."));

        private Group() {
        }

        /** How Storm's validation checks these keys. */
        public static final class Check extends SettingsValidator {
            public Check() {
                super(SETTINGS);
            }
        }
    }
}
