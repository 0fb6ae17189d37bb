package io.eyewall.client.settings;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.stream.Stream;

/** The configuration keys that classes declare as constants, as Storm's own classes do. */
public final class DeclaredKeys {

    private DeclaredKeys() {
    }

    /**
     * A key.
     *
     * @param name the key, such as {@code topology.workers}
     * @param constant what declares it, with its annotations
     */
    public record DeclaredKey(String name, Field constant) {
    }

    /** The keys of some classes, in their order. */
    public static Stream<DeclaredKey> of(Collection<Class<?>> types) {
        return types.stream().flatMap(type -> Stream.of(type.getFields()))
            .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == String.class)
            .map(field -> new DeclaredKey(value(field), field));
    }

    private static String value(Field constant) {
        try {
            constant.setAccessible(true); // Its class need not be public.
            return String.valueOf(constant.get(null));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("The key " + constant + " cannot be read.", e);
        }
    }
}
