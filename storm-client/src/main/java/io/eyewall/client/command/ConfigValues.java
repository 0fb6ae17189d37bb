package io.eyewall.client.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;

/**
 * Prints the configured values of several keys in one run, as one JSON object on standard output.
 *
 * <p>Values are texts in the form that upstream's {@code ConfigValue} prints: a list as its elements with spaces between, a missing value
 * as {@code null}.
 */
public final class ConfigValues {

    private static final String CHECKED = "--checked";

    private ConfigValues() {
    }

    /**
     * Prints the values.
     *
     * @param arguments the keys to look up, after {@value #CHECKED} if all values of the configuration must be checked first
     * @throws IllegalArgumentException names the value that is not allowed
     */
    public static void main(String[] arguments) {
        List<String> keys = new ArrayList<>(List.of(arguments));
        Map<String, Object> configuration = Utils.readStormConfig();
        if (keys.remove(CHECKED)) {
            ConfigValidation.validateFields(configuration);
        }
        System.out.println(JSONObject.toJSONString(values(configuration, keys.toArray(String[]::new))));
    }

    static Map<String, String> values(Map<String, Object> configuration, String... keys) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String key : keys) {
            values.put(key, text(configuration.get(key)));
        }
        return values;
    }

    private static String text(Object value) {
        return value instanceof List<?> list
            ? list.stream().map(String::valueOf).collect(Collectors.joining(" "))
            : String.valueOf(value);
    }
}
