package io.eyewall.core.nimbus;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What Nimbus is woven to be: it keeps one object of each class that seams need there. */
public interface NimbusParts {

    /** Null before the first. */
    Map<Class<?>, Object> getEyewallParts();

    /** Written once. */
    void setEyewallParts(Map<Class<?>, Object> parts);

    /** The object of that class in a Nimbus, which {@code maker} makes at the first call. For any thread. */
    static <T> T of(Object nimbus, Class<T> type, Supplier<T> maker) {
        NimbusParts holder = (NimbusParts) nimbus;
        synchronized (holder) {
            if (holder.getEyewallParts() == null) {
                holder.setEyewallParts(new HashMap<>());
            }
            return type.cast(holder.getEyewallParts().computeIfAbsent(type, first -> maker.get()));
        }
    }
}
