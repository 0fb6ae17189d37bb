package io.eyewall.client.settings;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.storm.shade.org.apache.commons.lang.StringUtils;
import org.apache.storm.validation.ConfigValidation;

/**
 * Finds keys that look like misspelt keys of ours. Storm keeps a key that it does not know in the configuration, where nobody reads it.
 * Immutable; safe for any thread.
 */
final class MisspeltKeys {

    /** A key is taken for a misspelt one if so many letters inserted, removed or replaced (Levenshtein's distance) make it a known one. */
    private static final int MAX_EDITS = 3;

    private final List<String> ours;
    private final Set<String> known;

    /** Compares with the keys of all configuration classes on the class path. */
    MisspeltKeys() {
        List<Class<?>> classes = ConfigValidation.getConfigClasses();
        ours = classes.stream().filter(SettingsGroup.class::isAssignableFrom).flatMap(group -> settings(group).stream()).map(Setting::key)
            .toList();
        known = new HashSet<>(ours);
        classes.forEach(type -> Stream.of(type.getFields())
            .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == String.class)
            .forEach(constant -> known.add(value(constant))));
    }

    /** The nearest key of ours, if the given key is unknown and near to one. */
    Optional<String> meant(String key) {
        return known.contains(key) ? Optional.empty() : ours.stream()
            .filter(own -> Math.abs(own.length() - key.length()) <= MAX_EDITS)
            .min(Comparator.comparingInt(own -> StringUtils.getLevenshteinDistance(own, key)))
            .filter(own -> StringUtils.getLevenshteinDistance(own, key) <= MAX_EDITS);
    }

    private static List<Setting<?>> settings(Class<?> group) {
        try {
            return group.asSubclass(SettingsGroup.class).getConstructor().newInstance().settings();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(group + " has no public constructor without arguments, as a service needs.", e);
        }
    }

    private static String value(Field constant) {
        try {
            return (String) constant.get(null);
        } catch (IllegalAccessException e) {
            return ""; // The class is not public, so nobody can set its keys by their constants.
        }
    }
}
