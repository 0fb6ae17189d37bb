package io.eyewall.client.command;

import io.eyewall.client.settings.DeclaredKeys;
import io.eyewall.client.settings.DeclaredKeys.DeclaredKey;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes configuration keys as users do. Upstream's validation names the Java constant ({@code TOPOLOGY_WORKERS}); a user set
 * {@code topology.workers}.
 */
final class KeyNames {

    private static final Pattern CONSTANT = Pattern.compile("\\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\\b");

    private KeyNames() {
    }

    /** Replaces each constant of the given classes in a message by its key. */
    static String spellOut(String message, List<Class<?>> configurationClasses) {
        return CONSTANT.matcher(message)
            .replaceAll(match -> Matcher.quoteReplacement(key(match.group(), configurationClasses)));
    }

    private static String key(String constant, List<Class<?>> configurationClasses) {
        return DeclaredKeys.of(configurationClasses).filter(key -> key.constant().getName().equals(constant)).map(DeclaredKey::name)
            .findFirst().orElse(constant);
    }
}
