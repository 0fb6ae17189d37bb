package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import clojure.java.api.Clojure;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClojureSerializersTest {

    private final Kryo kryo = new Kryo();

    @BeforeEach
    void register() throws ReflectiveOperationException {
        for (Map<String, String> registration : ClojureSerializers.registrations()) {
            for (Map.Entry<String, String> entry : registration.entrySet()) {
                kryo.register(Class.forName(entry.getKey()),
                    Class.forName(entry.getValue()).asSubclass(Serializer.class).getDeclaredConstructor().newInstance());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        ":plain", ":with.namespace/name", "[]", "[1 \"two\" :three [4.0 nil]]", "{}", "{:line 3, :index 0}", "#{}", "#{:a \"b\" [1]}",
        "{0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10}",
    })
    void shouldReadClojuresDataThatItHasWritten(String text) {
        Object data = Clojure.read(text);

        Object copy = copy(data);

        assertEquals(data, copy);
        assertEquals(data.getClass(), copy.getClass());
    }

    @Test
    void shouldReadTheSameInstanceOfAKeyword() {
        assertSame(Clojure.read(":word"), copy(Clojure.read(":word")));
    }

    private Object copy(Object data) {
        Output output = new Output(1024, -1);
        kryo.writeClassAndObject(output, data);
        return kryo.readClassAndObject(new Input(output.toBytes()));
    }
}
