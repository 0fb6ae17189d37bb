package io.eyewall.client.command;

import io.eyewall.client.settings.DeclaredKeys;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.MarkedYAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;
import org.apache.storm.validation.ConfigValidationAnnotations.IsListEntryCustom;
import org.apache.storm.validation.ConfigValidationAnnotations.IsListEntryType;
import org.apache.storm.validation.ConfigValidationAnnotations.IsNoDuplicateInList;
import org.apache.storm.validation.ConfigValidationAnnotations.IsString;
import org.apache.storm.validation.ConfigValidationAnnotations.IsStringList;
import org.apache.storm.validation.ConfigValidationAnnotations.IsStringOrStringList;

/**
 * Configuration from environment variables. A key's variable is the key in capitals, with {@code _} for every sign that is neither letter
 * nor digit, and {@code STORM_} in front unless the key begins so: {@code STORM_NIMBUS_SEEDS} sets {@code nimbus.seeds}, and
 * {@code STORM_ZOOKEEPER_PORT} sets {@code storm.zookeeper.port}.
 *
 * <p>A value is YAML, as in {@code storm.yaml}. The brackets of a list may be missing. The value of a key that takes a text is taken as it
 * is.
 */
final class ConfigurationVariables {

    private static final String START = "STORM_";

    /** What {@code bin/storm} and upstream's scripts read themselves. */
    private static final Set<String> OTHERS = Set.of("STORM_CONF_FILE", "STORM_CONF_DIR", "STORM_BASE_DIR", "STORM_EXT_CLASSPATH",
        "STORM_EXT_CLASSPATH_DAEMON", "STORM_JAR_JVM_OPTS", "STORM_SUPERVISOR_LOG_FILE");

    private static final Set<Class<? extends Annotation>> LISTS =
        Set.of(IsStringList.class, IsListEntryType.class, IsListEntryCustom.class, IsNoDuplicateInList.class);

    private final Map<String, Key> keys = new TreeMap<>();

    /** How the value of a key is read. */
    private enum Kind { TEXT, TEXT_OR_LIST, LIST, ANY }

    private record Key(String name, Kind kind) {
    }

    /**
     * The variables of all keys.
     *
     * @param configurationClasses the classes whose constants are keys, with annotations that say what values they take
     * @param others keys that may have no constant
     */
    ConfigurationVariables(Collection<Class<?>> configurationClasses, Collection<String> others) {
        others.forEach(key -> keys.put(variable(key), new Key(key, Kind.ANY)));
        DeclaredKeys.of(configurationClasses).forEach(key -> keys.put(variable(key.name()), new Key(key.name(), kind(key.constant()))));
    }

    /** The variable that sets a key. */
    static String variable(String key) {
        String name = key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        return name.startsWith(START) ? name : START + name;
    }

    /**
     * The values of all keys that an environment sets.
     *
     * @throws UnusableConfigurationException names a variable that begins with {@code STORM_} and sets no key, or whose value is not YAML
     */
    Map<String, Object> values(Map<String, String> environment) {
        Map<String, Object> values = new TreeMap<>();
        new TreeMap<>(environment).forEach((variable, text) -> {
            if (variable.startsWith(START) && !OTHERS.contains(variable)) {
                Key key = keys.get(variable);
                if (key == null) {
                    throw new UnusableConfigurationException("the variable " + variable + " sets no key. Write a key in capitals, with _ "
                        + "for other signs, and STORM_ in front unless it begins so: STORM_NIMBUS_SEEDS for nimbus.seeds, "
                        + "STORM_ZOOKEEPER_PORT for storm.zookeeper.port.");
                }
                values.put(key.name(), value(variable, key.kind(), text));
            }
        });
        return values;
    }

    private static Object value(String variable, Kind kind, String text) {
        boolean brackets = text.strip().startsWith("[");
        if (kind == Kind.TEXT || (kind == Kind.TEXT_OR_LIST && !brackets)) {
            return text;
        }
        try {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(kind == Kind.LIST && !brackets ? "[" + text + "]" : text);
        } catch (YAMLException e) {
            // Without its cause, which would be explained as a mistake in a file.
            String problem = e instanceof MarkedYAMLException marked ? marked.getProblem() : e.getMessage();
            throw new UnusableConfigurationException("the variable " + variable + " is not YAML: " + problem
                + ". Write its value as in storm.yaml: a number, a text, [a, list] or {a: mapping}.");
        }
    }

    private static Kind kind(Field field) {
        if (field.isAnnotationPresent(IsString.class)) {
            return Kind.TEXT;
        }
        if (field.isAnnotationPresent(IsStringOrStringList.class)) {
            return Kind.TEXT_OR_LIST;
        }
        return LISTS.stream().anyMatch(field::isAnnotationPresent) ? Kind.LIST : Kind.ANY;
    }
}
