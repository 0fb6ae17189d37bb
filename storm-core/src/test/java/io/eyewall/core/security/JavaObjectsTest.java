package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.management.BadAttributeValueExpException;
import org.apache.storm.serialization.SerializableSerializer;
import org.junit.jupiter.api.Test;

/** What a worker reads with Java's serialization. */
class JavaObjectsTest {

    @Test
    void shouldReadNoClassThatIsKnownToDoHarm() throws Exception {
        assertEquals("BadAttributeValueExpException", Upstream.attackedBy(Gadget.class));

        assertEquals("InvalidClassException", new Gadget().call());
    }

    @Test
    void shouldMakeNoArrayForALengthThatNothingFollows() throws Exception {
        assertEquals("OutOfMemoryError", Upstream.attackedBy(Length.class));

        assertEquals("KryoException", new Length().call());
    }

    @Test
    void shouldReadWhatATopologyHasInItsTuples() {
        List<Object> values = new ArrayList<>(List.of(1, "two", new BigDecimal(3)));
        Input input = new Input(Gadget.written(values));
        assertEquals(values, new SerializableSerializer().read(new Kryo(), input, Object.class));
        assertEquals(input.limit(), input.position());
    }

    /** Has a worker read an object whose class calls a method of another while it is read. */
    static final class Gadget implements Callable<String> {
        @Override
        public String call() {
            return read(written(new BadAttributeValueExpException("x")));
        }

        static byte[] written(Object value) {
            Output output = new Output(1_000, 100_000);
            new SerializableSerializer().write(new Kryo(), output, value);
            return output.toBytes();
        }

        static String read(byte[] bytes) {
            try {
                return new SerializableSerializer().read(new Kryo(), new Input(bytes), Object.class).getClass().getSimpleName();
            } catch (RuntimeException | OutOfMemoryError e) {
                return (e.getCause() == null ? e : e.getCause()).getClass().getSimpleName();
            }
        }
    }

    /** Has a worker make an array of 2 GB. */
    static final class Length implements Callable<String> {
        @Override
        public String call() {
            Output output = new Output(10);
            output.writeInt(Integer.MAX_VALUE);
            return Gadget.read(output.toBytes());
        }
    }
}
