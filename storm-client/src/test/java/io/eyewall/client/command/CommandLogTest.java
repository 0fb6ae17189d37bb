package io.eyewall.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.apache.storm.generated.NotAliveException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandLogTest {

    private final PrintStream standardError = System.err;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final CommandLog log = new CommandLog(new PrintStream(output, true, StandardCharsets.UTF_8),
        new PrintStream(errors, true, StandardCharsets.UTF_8), new FailureExplainer(new ConfiguredCluster(), false));

    @AfterEach
    void restore() {
        System.setErr(standardError);
    }

    @Test
    void shouldPrintTheBareMessageWhenACommandTellsItsResult() {
        log.append(event(Level.INFO, "key 1 owner", null));

        assertEquals("key 1 owner" + System.lineSeparator(), output.toString(StandardCharsets.UTF_8));
        assertEquals("", errors.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldExplainTheFailureAndDropTheUsageTextAfterItWhenACommandLogsIt() {
        log.append(event(Level.ERROR, "Error while running command creds", new RuntimeException(new NotAliveException("t1"))));

        assertEquals("storm: no such topology is running: t1. `storm list` shows those that are." + System.lineSeparator(),
            errors.toString(StandardCharsets.UTF_8));
        assertNotSame(standardError, System.err);
    }

    @Test
    void shouldGoOnWhenACommandOnlyWarns() {
        log.append(event(Level.WARN, "KEY NOT FOUND", null));

        assertEquals("storm: KEY NOT FOUND" + System.lineSeparator(), errors.toString(StandardCharsets.UTF_8));
        assertTrue(log.hasPrinted("KEY NOT FOUND. Run it again with --debug for the stack trace."));
        assertFalse(log.hasPrinted("another failure"));
        assertEquals(standardError, System.err);
    }

    private static Log4jLogEvent event(Level level, String message, Throwable thrown) {
        return Log4jLogEvent.newBuilder().setLoggerName("org.apache.storm.command.X").setLevel(level)
            .setMessage(new SimpleMessage(message)).setThrown(thrown).build();
    }
}
