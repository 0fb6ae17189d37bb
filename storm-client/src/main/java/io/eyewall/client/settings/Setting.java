package io.eyewall.client.settings;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * One configuration key. Immutable; reading is safe for any thread.
 *
 * @param key the key in {@code storm.yaml} or in the topology's configuration
 * @param defaultValue the value if the key is not set, in the form in which a user would write it
 * @param range the values that are allowed, with their unit, in words that complete "must be …"
 * @param doc what the key does, in one or two sentences
 * @param parser turns what a user wrote into the value; throws {@link IllegalArgumentException} if that is out of range
 * @param <T> the type of the value
 */
public record Setting<T>(String key, Object defaultValue, String range, String doc, Function<Object, T> parser) {

    /** A whole number from {@code min} to {@code max}. */
    public static Setting<Long> integer(String key, long defaultValue, long min, long max, String unit, String doc) {
        return new Setting<>(key, defaultValue, "a whole number of " + unit + " from " + min + " to " + max, doc, value -> {
            if (value instanceof Number number && number.doubleValue() == number.longValue()
                    && number.longValue() >= min && number.longValue() <= max) {
                return number.longValue();
            }
            throw new IllegalArgumentException("not in range");
        });
    }

    /** True or false. */
    public static Setting<Boolean> flag(String key, boolean defaultValue, String doc) {
        return new Setting<>(key, defaultValue, "true or false", doc, value -> {
            if (value instanceof Boolean flag) {
                return flag;
            }
            throw new IllegalArgumentException("not a flag");
        });
    }

    /** One of some words. */
    public static Setting<String> choice(String key, String defaultValue, List<String> words, String doc) {
        return new Setting<>(key, defaultValue, String.join(" or ", words), doc, value -> {
            if (value instanceof String word && words.contains(word)) {
                return word;
            }
            throw new IllegalArgumentException("not a choice");
        });
    }

    /** A text that is not empty. */
    public static Setting<String> text(String key, String defaultValue, String doc) {
        return new Setting<>(key, defaultValue, "a text that is not empty", doc, value -> {
            if (value instanceof String text && !text.isBlank()) {
                return text;
            }
            throw new IllegalArgumentException("not a text");
        });
    }

    /**
     * The value in a configuration, or the default.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public T of(Map<String, Object> conf) {
        return parse(Objects.requireNonNullElse(conf.get(key), defaultValue));
    }

    /**
     * Parses the {@code value} that a user has written.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public T parse(Object value) {
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + " is '" + value + "', but must be " + range + ".", e);
        }
    }
}
