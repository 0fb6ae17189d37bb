package io.eyewall.client.security;

import io.eyewall.client.settings.DeclaredKeys;
import io.eyewall.client.settings.DeclaredKeys.DeclaredKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.validation.ConfigValidation;
import org.apache.storm.validation.ConfigValidationAnnotations.Password;

/**
 * Hides what is secret in a configuration: one rule for all that is served or logged. A value is secret if its key is declared so, by
 * Storm's annotation {@link Password} or by {@link SecurityConfiguration#REDACTED_KEYS}, or has a name like {@code password}. Within other
 * texts, such as options of a JVM or a URL, what follows {@code password=} is hidden. Immutable; safe for any thread.
 */
public final class Redaction {

    /** What stands in the place of a secret: upstream's mask. */
    public static final String MASK = "*****";

    private static final String WORDS = "passw(?:or)?d|passphrase|secret";

    private static final String NAMES = "auth\\.payload|(?:api|access|private)[._-]?key|(?<![a-z0-9])token";

    private static final Pattern KEY = Pattern.compile("(?i)" + WORDS
        + "|jaas\\.config|(?:" + NAMES + ")$|blowfish\\.key$|(^|\\.)credentials$");

    // All repetitions are bounded and possessive: a topology's owner writes what they are applied to, and Nimbus waits.
    private static final Pattern ASSIGNED = Pattern.compile(
        "(?i)((?:(?:" + WORDS + ")[\\w.-]{0,64}+|" + NAMES + ")[\"']?\\s{0,8}+[=:]\\s{0,8}+)"
            + "(?:\"[^\"]{0,65536}+\"|'[^']{0,65536}+'|[\"']?[^\\s;&,\"']++)");

    private static final Pattern IN_URL = Pattern.compile("(://[^/\\s:@]{0,256}+:)[^/\\s@]{1,256}+(?=@)");

    private final Set<String> declared;

    private Redaction(Set<String> declared) {
        this.declared = declared;
    }

    /** The rule for this configuration; its own further keys count if they are a list of names. */
    public static Redaction of(Map<?, ?> conf) {
        return Declared.RULE.and(conf);
    }

    /** This rule and the further keys of another configuration. */
    public Redaction and(Map<?, ?> conf) {
        if (!(conf.get(SecurityConfiguration.REDACTED_KEYS) instanceof List<?> further) || further.isEmpty()) {
            return this;
        }
        Set<String> more = new HashSet<>(declared);
        further.forEach(key -> more.add(String.valueOf(key)));
        return new Redaction(more);
    }

    /** The rule of the keys of Storm's and Eyewall's that have the annotation. */
    public static Redaction usual() {
        return Declared.RULE;
    }

    /** A copy without secrets, in the same order. */
    public Map<String, Object> mask(Map<?, ?> conf) {
        Map<String, Object> masked = new LinkedHashMap<>();
        conf.forEach((key, value) -> {
            String name = String.valueOf(key);
            masked.put(name, isSecret(name) && !isHarmless(value) ? MASK : maskValue(value));
        });
        return masked;
    }

    /** The text without secrets: a JSON object as a configuration, everything else as free text. */
    public String maskText(String text) {
        if (text.startsWith("{") && JSONValue.parse(text) instanceof Map<?, ?> conf) {
            return JSONValue.toJSONString(and(conf).mask(conf));
        }
        return IN_URL.matcher(ASSIGNED.matcher(text).replaceAll("$1*****")).replaceAll("$1*****");
    }

    private Object maskValue(Object value) {
        if (value instanceof String text) {
            return maskText(text);
        }
        if (value instanceof Map<?, ?> map) {
            return mask(map);
        }
        if (value instanceof List<?> list) {
            List<Object> masked = new ArrayList<>(list.size());
            list.forEach(element -> masked.add(maskValue(element)));
            return masked;
        }
        return value;
    }

    private boolean isSecret(String key) {
        return declared.contains(key) || KEY.matcher(key).find();
    }

    private static boolean isHarmless(Object value) {
        return value == null || value instanceof Boolean || "".equals(value);
    }

    /** Read once, when the first configuration is masked. */
    private static final class Declared {
        private static final Redaction RULE = new Redaction(DeclaredKeys.of(ConfigValidation.getConfigClasses())
            .filter(key -> key.constant().isAnnotationPresent(Password.class)).map(DeclaredKey::name).collect(Collectors.toSet()));
    }
}
