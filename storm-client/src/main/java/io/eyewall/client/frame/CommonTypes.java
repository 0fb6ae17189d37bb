package io.eyewall.client.frame;

import com.esotericsoftware.kryo.Kryo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.serialization.DefaultKryoFactory;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.serialization.types.ArrayListSerializer;
import org.apache.storm.serialization.types.ListDelegateSerializer;
import org.apache.storm.utils.ListDelegate;

/** Whether a topology serializes the types that frames have a format for as Storm does by default. */
final class CommonTypes {

    private static final List<Class<?>> SCALARS = List.of(Integer.class, Long.class, Double.class, Boolean.class, String.class,
        byte[].class);

    private CommonTypes() {
    }

    /**
     * Whether values of these types may be written without Kryo. They may not if the topology has a serializer of its own for one of them
     * or for whole tuples, makes Kryo in its own way, or has Kryo keep references, which may lead from one value of a tuple to another.
     */
    static boolean areStorms(Map<String, Object> topologyConf) {
        Kryo kryo = SerializationFactory.getKryo(topologyConf);
        Kryo plain = new Kryo();
        plain.setRegistrationRequired(false);
        return kryo.getClass() == DefaultKryoFactory.KryoSerializableDefault.class && !kryo.getReferences()
            && serializer(kryo, ListDelegate.class) == ListDelegateSerializer.class
            && serializer(kryo, ArrayList.class) == ArrayListSerializer.class
            && SCALARS.stream().allMatch(type -> serializer(kryo, type) == serializer(plain, type));
    }

    private static Class<?> serializer(Kryo kryo, Class<?> type) {
        return kryo.getRegistration(type).getSerializer().getClass();
    }
}
