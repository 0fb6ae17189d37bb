package io.eyewall.web.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * The one rule by which configurations are shown without secrets: a value is hidden if its key has a name like {@code password}, and within
 * other texts, such as options of a JVM or a URL, what follows {@code password=}.
 */
final class Secrets {

    /** What stands in the place of a secret: upstream's mask. */
    static final String MASK = "*****";

    private static final String WORDS = "passw(?:or)?d|passphrase|secret";

    private static final Pattern KEY = Pattern.compile("(?i)" + WORDS
        + "|auth\\.payload|jaas\\.config|(api|access|private)[._-]?key$|(^|[._-])token$|(^|\\.)credentials$");

    // All repetitions are bounded or possessive: a topology's owner writes what they are applied to.
    private static final Pattern ASSIGNED = Pattern.compile(
        "(?i)((?:" + WORDS + ")[\\w.-]{0,64}+[\"']?\\s{0,8}+[=:]\\s{0,8}+)(?:\"[^\"]{0,1024}+\"|'[^']{0,1024}+'|[^\\s;&,\"']++)");

    private static final Pattern IN_URL = Pattern.compile("(://[^/\\s:@]{0,256}+:)[^/\\s@]{1,256}+(?=@)");

    private Secrets() {
    }

    /** A configuration as Nimbus returns it, parsed and without secrets; empty if it is not a JSON object. */
    static Map<String, Object> mask(String configuration) {
        return JSONValue.parse(configuration) instanceof Map<?, ?> conf ? mask(conf) : Map.of();
    }

    private static Map<String, Object> mask(Map<?, ?> conf) {
        Map<String, Object> masked = new LinkedHashMap<>();
        conf.forEach((key, value) -> {
            String name = String.valueOf(key);
            boolean harmless = value == null || value instanceof Boolean || "".equals(value);
            masked.put(name, KEY.matcher(name).find() && !harmless ? MASK : maskValue(value));
        });
        return masked;
    }

    private static Object maskValue(Object value) {
        if (value instanceof String text) {
            if (text.startsWith("{") && JSONValue.parse(text) instanceof Map<?, ?> conf) {
                return JSONValue.toJSONString(mask(conf));
            }
            return IN_URL.matcher(ASSIGNED.matcher(text).replaceAll("$1*****")).replaceAll("$1*****");
        }
        if (value instanceof Map<?, ?> map) {
            return mask(map);
        }
        return value instanceof List<?> list ? list.stream().map(Secrets::maskValue).collect(Collectors.toList()) : value;
    }
}
