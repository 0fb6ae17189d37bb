package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log configuration of daemons does about lines that strangers cause. */
class FloodedLogTest {

    private static final Path CONFIGURATION = Path.of("distribution", "src", "main", "log4j2", "cluster.xml");
    private static final int REQUESTS = 10_000;
    private static final int BURST = 10;

    @TempDir
    Path directory;

    @AfterEach
    void forget() {
        System.clearProperty("storm.log.dir");
        System.clearProperty("logfile.name");
    }

    @Test
    void shouldLogFewOfManyBadRequests() throws Exception {
        System.setProperty("storm.log.dir", directory.toString());
        System.setProperty("logfile.name", "nimbus.log");
        try (LoggerContext context = new LoggerContext("flooded", null, CONFIGURATION.toUri())) {
            context.start();
            Logger thrift = context.getLogger("org.apache.storm.thrift.server.AbstractNonblockingServer$FrameBuffer");
            Logger jetty = context.getLogger("org.eclipse.jetty.util.HostPort");
            Logger shell = context.getLogger("org.apache.storm.utils.ShellUtils");
            Logger access = context.getLogger("org.apache.storm.logging.filters.AccessLoggingFilter");
            Logger nimbus = context.getLogger("org.apache.storm.daemon.nimbus.Nimbus");
            for (int i = 0; i < REQUESTS; i++) {
                thrift.error("Read an invalid frame size of {}", i);
                jetty.warn("Bad Authority: [{}]", i);
                shell.info("Failed running command {}", i);
                access.info("Access from: {}", i);
                nimbus.info("what Nimbus does");
            }
        }
        List<String> lines = Files.readAllLines(directory.resolve("nimbus.log"));
        assertFew(lines, "invalid frame size");
        assertFew(lines, "Bad Authority");
        assertFew(lines, "Failed running command");
        assertEquals(REQUESTS, lines.stream().filter(line -> line.contains("what Nimbus does")).count());
        assertEquals(List.of(), lines.stream().filter(line -> line.contains("Access from")).toList(), "they have a file of their own");
    }

    private static void assertFew(List<String> lines, String text) {
        long logged = lines.stream().filter(line -> line.contains(text)).count();
        assertTrue(logged >= BURST && logged <= BURST + 2, "one more every ten seconds: " + logged);
    }
}
