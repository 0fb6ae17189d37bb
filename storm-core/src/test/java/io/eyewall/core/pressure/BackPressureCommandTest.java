package io.eyewall.core.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BackPressureCommandTest {

    private static final Map<String, Set<String>> RECEIVERS = Map.of("words", Set.of("count"), "count", Set.of());

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldShowWhoHoldsWhomAndSinceWhen() throws Exception {
        BackPressure pressure = BackPressure.of(
            List.of(new ExecutorQueue("count", 3, 2, "host-1", 6700, 1, 17, 192_400), BackPressureTest.queue("words", 1, 0)), RECEIVERS);
        assertEquals(0, run(new PressureReader.Reading("", new TreeMap<>(Map.of("host-2:6700", "it has ended")), pressure), "orders"));
        assertEquals("""
            count holds back words, for 3 min 12 s:
              count[3-4] at host-1:6700: for 3 min 12 s, 100 % of its queue, 17 tuples beside it

            component                state    executors      queue
            count                    culprit        1/1      100 %
            words                    held           0/1       10 %
            """, out.toString(StandardCharsets.UTF_8));
        assertEquals("storm back-pressure: worker host-2:6700 is left out: it has ended.\n", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldSayThatNobodyHoldsAnybody() throws Exception {
        BackPressure pressure = BackPressure.of(List.of(BackPressureTest.queue("count", 3, 0)), RECEIVERS);
        assertEquals(0, run(new PressureReader.Reading("", new TreeMap<>(), pressure), "orders"));
        assertTrue(out.toString(StandardCharsets.UTF_8).startsWith("No component of orders holds another one back.\n"));
    }

    @Test
    void shouldSayWhyThereIsNothingToShow() throws Exception {
        BackPressure nothing = BackPressure.of(List.of(), RECEIVERS);
        assertEquals(1, run(new PressureReader.Reading("It has no workers yet.", new TreeMap<>(), nothing), "orders"));
        assertEquals(1, run(new PressureReader.Reading("", new TreeMap<>(), nothing), "orders"));
        assertEquals(2, run(new PressureReader.Reading("", new TreeMap<>(), nothing)));
        assertEquals(2, run(new PressureReader.Reading("", new TreeMap<>(), nothing), "orders", "--no"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("ask again in a while"));
    }

    private int run(PressureReader.Reading reading, String... args) throws Exception {
        return new BackPressureCommand(new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8)).run(topology -> reading, args);
    }
}
