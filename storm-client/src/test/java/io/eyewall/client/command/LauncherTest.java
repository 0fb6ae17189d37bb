package io.eyewall.client.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.storm.generated.NotAliveException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LauncherTest {

    private static String[] given;
    private static Supplier<Exception> failure;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Launcher launcher = new Launcher(new PrintStream(written, true, StandardCharsets.UTF_8),
        new FailureExplainer(new ConfiguredCluster(), true), explanation -> explanation.contains("printed"));

    /** Run by the tests. */
    public static final class Program {

        private Program() {
        }

        /** Notes its arguments, or fails. */
        public static void main(String[] arguments) throws Exception {
            given = arguments;
            if (failure != null) {
                throw failure.get();
            }
        }
    }

    /** A class without a main method. */
    public static final class NoProgram {
    }

    /** A class whose main method needs an instance. */
    @SuppressWarnings("IncorrectMainMethod")
    public static final class NotStatic {

        /** Never called. */
        public void main(String[] arguments) {
            given = arguments;
        }
    }

    @BeforeEach
    void forget() {
        given = null;
        failure = null;
    }

    @Test
    void shouldPassTheArgumentsOnWhenTheMainClassReturns() throws Throwable {
        assertTrue(launcher.launch(new String[] {Program.class.getName(), "a", "-b", ""}));
        assertArrayEquals(new String[] {"a", "-b", ""}, given);
        assertEquals("", written.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldWriteOneLineWhenTheFailureIsKnown() throws Throwable {
        failure = () -> new NotAliveException("t1 is not alive");

        assertFalse(launcher.launch(new String[] {Program.class.getName()}));
        assertEquals("storm: no such topology is running: t1 is not alive. `storm list` shows those that are." + System.lineSeparator(),
            written.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldNotRepeatAFailureWhenTheCommandToldOfItItself() throws Throwable {
        failure = () -> new NotAliveException("t1 was printed");

        assertFalse(launcher.launch(new String[] {Program.class.getName()}));
        assertEquals("", written.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldLetTheFailureOutWhenItIsTheTopologysOwn() {
        failure = () -> new IllegalStateException("my own");

        Throwable thrown = assertThrows(IllegalStateException.class, () -> launcher.launch(new String[] {Program.class.getName()}));

        assertEquals("my own", thrown.getMessage());
        StackTraceElement[] frames = thrown.getStackTrace();
        assertEquals(Program.class.getName(), frames[frames.length - 1].getClassName());
        assertEquals("", written.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldNameTheClassWhenItCannotBeRun() throws Throwable {
        for (String name : new String[] {"no.such.Thing", NoProgram.class.getName(), NotStatic.class.getName()}) {
            written.reset();
            assertFalse(launcher.launch(new String[] {name}));
            String line = written.toString(StandardCharsets.UTF_8);
            assertTrue(line.startsWith("storm: ") && line.contains(name), line);
            assertEquals(1, line.lines().count());
        }
    }
}
