package io.eyewall.client.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.utils.Utils;

/**
 * Prints the configured values of several keys in one run, as one JSON object on standard output.
 *
 * <p>Values are texts in the form that upstream's {@code ConfigValue} prints: a list as its elements with spaces between, a missing value
 * as {@code null}.
 */
public final class ConfigValues {

    private ConfigValues() {
    }

    /**
     * Prints the values.
     *
     * @param keys the keys to look up
     */
    public static void main(String[] keys) {
        System.out.println(JSONObject.toJSONString(values(Utils.readStormConfig(), keys)));
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
