package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.serialization.DefaultKryoFactory;
import org.apache.storm.serialization.IKryoDecorator;
import org.apache.storm.serialization.types.ArrayListSerializer;
import org.apache.storm.serialization.types.ListDelegateSerializer;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class CommonTypesTest {

    @Test
    void shouldBeStormsWhenATopologyRegistersOtherTypes() {
        assertAreStorms(true, Map.of());
        assertAreStorms(true, Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true));
        assertAreStorms(true, Map.of(Config.TOPOLOGY_KRYO_REGISTER, List.of(StringBuilder.class.getName())));
        assertAreStorms(true, Map.of(Config.TOPOLOGY_KRYO_DECORATORS, List.of(Harmless.class.getName())));
    }

    @Test
    void shouldNotBeStormsWhenATopologySerializesThemInItsOwnWay() {
        assertAreStorms(false, register(String.class, FrameWriterTest.LoudTexts.class));
        assertAreStorms(false, register(Long.class, DefaultSerializers.IntSerializer.class));
        assertAreStorms(false, register(ArrayList.class, OwnLists.class));
        assertAreStorms(false, Map.of(Config.TOPOLOGY_TUPLE_SERIALIZER, OwnTuples.class.getName()));
        assertAreStorms(false, Map.of(Config.TOPOLOGY_KRYO_FACTORY, OwnFactory.class.getName()));
        assertAreStorms(false, Map.of(Config.TOPOLOGY_KRYO_DECORATORS, List.of(KeepsReferences.class.getName())));
    }

    private static Map<String, Object> register(Class<?> type, Class<?> serializer) {
        return Map.of(Config.TOPOLOGY_KRYO_REGISTER, List.of(Map.of(type.getName(), serializer.getName())));
    }

    private static void assertAreStorms(boolean expected, Map<String, Object> moreConf) {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.putAll(moreConf);
        assertEquals(expected, CommonTypes.areStorms(conf), moreConf.toString());
    }

    /** A topology's own, which could do anything. */
    public static final class OwnLists extends ArrayListSerializer {
    }

    /** A topology's own, which could do anything. */
    public static final class OwnTuples extends ListDelegateSerializer {
    }

    /** Makes a Kryo that could do anything. */
    public static final class OwnFactory extends DefaultKryoFactory {
        @Override
        public Kryo getKryo(Map<String, Object> conf) {
            return new Kryo();
        }

        @Override
        public void postRegister(Kryo kryo, Map<String, Object> conf) {
            // Storm's expects its own.
        }
    }

    /** Has nothing to do with the common types. */
    public static final class Harmless implements IKryoDecorator {
        @Override
        public void decorate(Kryo kryo) {
            kryo.register(StringBuilder.class);
        }
    }

    /** Has Kryo keep what is the same object the same. */
    public static final class KeepsReferences implements IKryoDecorator {
        @Override
        public void decorate(Kryo kryo) {
            kryo.setReferences(true);
        }
    }
}
