package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.daemon.Acker;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

/** What a tuple does to an acker whose values are not those of its stream. */
class MalformedAcksTest {

    private static final List<List<Object>> VALUES =
        List.of(List.of(), List.of("no id", "no number", "no task"), Arrays.asList(1L, null, null));

    @Test
    void shouldDropTuplesThatHaveNotTheValuesOfAnAck() throws Exception {
        assertEquals("IndexOutOfBoundsException, ClassCastException, NullPointerException", Upstream.attackedBy(Forging.class));

        assertEquals("nothing, nothing, nothing", new Forging().call());
    }

    @Test
    void shouldFailForAnyOtherReason() {
        Acker acker = new Acker();
        acker.prepare(Map.of(), null, null);

        assertThrows(IllegalStateException.class, () -> acker.execute(tuple("__ack_init", call -> {
            throw new IllegalStateException("the worker ends");
        })));
    }

    private static Tuple tuple(String stream, Values values) {
        return (Tuple) Proxy.newProxyInstance(Tuple.class.getClassLoader(), new Class<?>[] {Tuple.class}, (proxy, method, arguments) ->
            switch (method.getName()) {
                case "getSourceStreamId" -> stream;
                case "getSourceComponent" -> "spout";
                default -> values.get((Integer) arguments[0]);
            });
    }

    /** The values of a tuple, by their index. */
    private interface Values {
        Object get(int index);
    }

    /** Sends them as the first tuple of a tree; returns what the acker throws at each. */
    static final class Forging implements Callable<String> {

        Forging() {
        }

        @Override
        public String call() {
            Acker acker = new Acker();
            acker.prepare(Map.of(), null, null);
            return String.join(", ", VALUES.stream().map(values -> thrownBy(acker, tuple("__ack_init", values::get))).toList());
        }

        private static String thrownBy(Acker acker, Tuple tuple) {
            try {
                acker.execute(tuple);
                return "nothing";
            } catch (IndexOutOfBoundsException e) {
                return "IndexOutOfBoundsException";
            } catch (ClassCastException | NullPointerException e) {
                return e.getClass().getSimpleName();
            }
        }
    }
}
