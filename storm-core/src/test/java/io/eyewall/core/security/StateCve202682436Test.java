package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.spout.CheckPointState;
import org.apache.storm.state.DefaultStateSerializer;
import org.junit.jupiter.api.Test;
import org.objenesis.strategy.StdInstantiatorStrategy;

/** Which classes the store of a topology's state has a worker instantiate. */
class StateCve202682436Test {

    @Test
    void shouldInstantiateNothingUnexpectedFromTheStore() throws Exception {
        assertEquals("Gadget", Upstream.attackedBy(State.class));

        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, new State()::call);
        assertTrue(refused.getMessage().contains("add it to the list topology.state.classes"), refused.getMessage());
    }

    @Test
    void shouldReadFromTheStoreWhatTheTopologyExpects() {
        byte[] gadget = State.written(new Gadget());
        for (String name : List.of(Gadget.class.getName(), "io.eyewall.core.security.*", "*")) {
            Object read = new DefaultStateSerializer<>(Map.of("topology.state.classes", List.of(name)), null).deserialize(gadget);
            assertEquals(Gadget.class, read.getClass());
        }
        byte[] usual = State.written(new ArrayList<>(List.of(1, "two", new long[] {3})));
        assertEquals(3, ((List<?>) new DefaultStateSerializer<>().deserialize(usual)).size());
        DefaultStateSerializer<Object> serializer = new DefaultStateSerializer<>();
        CheckPointState state = new CheckPointState(7, CheckPointState.State.PREPARING);
        assertEquals(state, serializer.deserialize(serializer.serialize(state)));
    }

    @Test
    void shouldReadEachOfManyObjectsThatOneSerializerHasWritten() {
        DefaultStateSerializer<Object> writer = new DefaultStateSerializer<>();
        for (int i = 0; i < 3; i++) {
            List<Object> values = new ArrayList<>(List.of(i, EnumSet.of(CheckPointState.State.COMMITTED), "two"));
            byte[] written = writer.serialize(values);
            assertEquals(values, new DefaultStateSerializer<>().deserialize(written));
            assertArrayEquals(State.written(values), written, "upstream writes the same");
            assertArrayEquals(new byte[] {1}, (byte[]) new DefaultStateSerializer<>().deserialize(writer.serialize(new byte[] {1})));
        }
    }

    @Test
    void shouldReadWhatBoltsWithWindowsKeep() throws Exception {
        for (String name : List.of("topology.StatefulWindowedBoltExecutor$TaskStream", "topology.StatefulWindowedBoltExecutor$WindowState",
            "windowing.DefaultEvictionContext", "windowing.EventImpl", "windowing.WaterMarkEvent",
            "windowing.persistence.WindowState$WindowPartition", "streams.Pair")) {
            Class<?> kept = Class.forName("org.apache.storm." + name);
            Object object = new StdInstantiatorStrategy().newInstantiatorOf(kept).newInstance();
            assertEquals(kept, new DefaultStateSerializer<>().deserialize(State.written(object)).getClass());
        }
    }

    /** A class of the class path that nobody expects to be instantiated. */
    static final class Gadget {
        String command = "rm";
    }

    /** Has a worker instantiate a class with what is in the store of its state. */
    static final class State implements Callable<String> {
        @Override
        public String call() {
            return new DefaultStateSerializer<>().deserialize(written(new Gadget())).getClass().getSimpleName();
        }

        /** As upstream writes it. */
        static byte[] written(Object value) {
            Kryo kryo = new Kryo();
            kryo.setRegistrationRequired(false);
            Output output = new Output(100, 10_000);
            kryo.writeClassAndObject(output, value);
            return output.toBytes();
        }
    }
}
