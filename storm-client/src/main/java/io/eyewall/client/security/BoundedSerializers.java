package io.eyewall.client.security;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.ObjectArraySerializer;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import java.util.Collection;
import java.util.Map;

/**
 * Has the collections, maps and arrays of a message announce no more elements than {@link BoundedInput} allows, where their classes are
 * registered without a serializer. They are written and read as with the serializers that Kryo chooses. A serializer of the user's is
 * left as it is, and Storm's own are woven.
 */
public final class BoundedSerializers {

    private BoundedSerializers() {
    }

    /** In place of {@code kryo.register(type)}. */
    public static Registration register(Kryo kryo, Class<?> type) {
        boolean isKnown = kryo.getClassResolver().getRegistration(type) != null;
        Registration registration = kryo.register(type);
        Serializer<?> bounded = isKnown ? null : bounded(kryo, type, registration.getSerializer());
        if (bounded != null) {
            registration.setSerializer(bounded);
        }
        return registration;
    }

    /** In place of this serializer; null if it is none of Kryo's, or one that somebody has set up. */
    private static Serializer<?> bounded(Kryo kryo, Class<?> type, Serializer<?> usual) {
        if (usual.getClass() == CollectionSerializer.class) {
            CollectionSerializer<?> collections = (CollectionSerializer<?>) usual;
            return collections.getElementClass() == null && collections.getElementSerializer() == null ? new OfCollections() : null;
        }
        if (usual.getClass() == MapSerializer.class) {
            MapSerializer<?> maps = (MapSerializer<?>) usual;
            boolean isSetUp = maps.getKeyClass() != null || maps.getKeySerializer() != null || maps.getValueClass() != null
                || maps.getValueSerializer() != null;
            return isSetUp ? null : new OfMaps();
        }
        return usual.getClass() == ObjectArraySerializer.class ? new OfArrays(kryo, type) : null;
    }

    private static final class OfCollections extends CollectionSerializer<Collection<Object>> {

        @Override
        protected Collection<Object> create(Kryo kryo, Input input, Class<? extends Collection<Object>> type, int elements) {
            return super.create(kryo, input, type, BoundedInput.room(input, elements));
        }
    }

    private static final class OfMaps extends MapSerializer<Map<Object, Object>> {

        @Override
        protected Map<Object, Object> create(Kryo kryo, Input input, Class<? extends Map<Object, Object>> type, int entries) {
            return super.create(kryo, input, type, BoundedInput.room(input, entries));
        }
    }

    private static final class OfArrays extends ObjectArraySerializer {

        OfArrays(Kryo kryo, Class<?> type) {
            super(kryo, type);
        }

        @Override
        @SuppressWarnings("rawtypes")
        public Object[] read(Kryo kryo, Input input, Class type) {
            BoundedInput.checkArray(input);
            return super.read(kryo, input, type);
        }
    }
}
