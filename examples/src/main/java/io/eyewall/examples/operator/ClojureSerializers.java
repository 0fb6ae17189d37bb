package io.eyewall.examples.operator;

import clojure.lang.IPersistentCollection;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import clojure.lang.PersistentHashSet;
import clojure.lang.PersistentVector;
import clojure.lang.RT;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Serializers for Clojure's keywords, vectors, maps and sets. Their elements may be of any type that Kryo can serialize. Only topologies
 * that need these serializers register them, so that no other topology loads Clojure.
 */
public final class ClojureSerializers {

    private ClojureSerializers() {
    }

    /**
     * The value of {@code topology.kryo.register}.
     */
    public static List<Map<String, String>> registrations() {
        return List.of(
            Map.of(Keyword.class.getName(), OfKeyword.class.getName()),
            Map.of(PersistentVector.class.getName(), OfVector.class.getName()),
            Map.of(PersistentArrayMap.class.getName(), OfMap.class.getName()),
            Map.of(PersistentHashMap.class.getName(), OfMap.class.getName()),
            Map.of(PersistentHashSet.class.getName(), OfSet.class.getName()));
    }

    /** Writes the namespace, which may be null, and the name. */
    public static final class OfKeyword extends Serializer<Keyword> {

        @Override
        public void write(Kryo kryo, Output output, Keyword keyword) {
            output.writeString(keyword.getNamespace());
            output.writeString(keyword.getName());
        }

        @Override
        public Keyword read(Kryo kryo, Input input, Class<? extends Keyword> type) {
            return Keyword.intern(input.readString(), input.readString());
        }
    }

    /** Writes the number of elements, and the elements. */
    public static final class OfVector extends OfCollection<PersistentVector> {

        @Override
        PersistentVector of(Object[] elements) {
            return (PersistentVector) RT.vector(elements);
        }
    }

    /** Writes the number of elements, and the elements. */
    public static final class OfSet extends OfCollection<PersistentHashSet> {

        @Override
        PersistentHashSet of(Object[] elements) {
            return (PersistentHashSet) RT.set(elements);
        }
    }

    /** Writes the number of entries, and the key and value of each. Reads the type of map that Clojure prefers for that number. */
    public static final class OfMap extends Serializer<Map<?, ?>> {

        @Override
        public void write(Kryo kryo, Output output, Map<?, ?> map) {
            output.writeVarInt(map.size(), true);
            map.forEach((key, value) -> {
                kryo.writeClassAndObject(output, key);
                kryo.writeClassAndObject(output, value);
            });
        }

        @Override
        public Map<?, ?> read(Kryo kryo, Input input, Class<? extends Map<?, ?>> type) {
            return (Map<?, ?>) RT.map(readAll(kryo, input, 2 * input.readVarInt(true)));
        }
    }

    /** Writes a collection of objects of any types. */
    abstract static class OfCollection<T extends IPersistentCollection> extends Serializer<T> {

        abstract T of(Object[] elements);

        @Override
        public void write(Kryo kryo, Output output, T collection) {
            output.writeVarInt(collection.count(), true);
            ((Collection<?>) collection).forEach(element -> kryo.writeClassAndObject(output, element));
        }

        @Override
        public T read(Kryo kryo, Input input, Class<? extends T> type) {
            return of(readAll(kryo, input, input.readVarInt(true)));
        }
    }

    private static Object[] readAll(Kryo kryo, Input input, int count) {
        Object[] elements = new Object[count];
        for (int index = 0; index < count; index++) {
            elements[index] = kryo.readClassAndObject(input);
        }
        return elements;
    }
}
