package io.eyewall.client.settings;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
        ours = SettingsGroup.all().stream().flatMap(group -> group.settings().stream()).<String>map(Setting::key).toList();
        known = new HashSet<>(ours);
        DeclaredKeys.of(ConfigValidation.getConfigClasses()).forEach(key -> known.add(key.name()));
    }

    /** The nearest key of ours, if the given key is unknown and near to one. */
    Optional<String> meant(String key) {
        return known.contains(key) ? Optional.empty() : ours.stream()
            .filter(own -> StringUtils.getLevenshteinDistance(own, key) <= MAX_EDITS)
            .min(Comparator.comparingInt(own -> StringUtils.getLevenshteinDistance(own, key)));
    }
}
