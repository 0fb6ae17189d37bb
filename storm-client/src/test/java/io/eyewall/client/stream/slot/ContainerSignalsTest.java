package io.eyewall.client.stream.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ContainerSignalsTest {

    private static final long SECS = 60;

    @Test
    void shouldKeepAProcessFromEndingAndLetItEndThoseThatItStarts() throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx32m",
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Signalled.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("ready", output.readLine());
            process.toHandle().destroy();
            sendInterrupt(process.pid());

            assertTrue(process.isAlive());
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            assertEquals("child ended: true", output.readLine());
            assertTrue(process.waitFor(SECS, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    private static void sendInterrupt(long pid) throws IOException, InterruptedException {
        assertEquals(0, new ProcessBuilder("kill", "-INT", String.valueOf(pid)).start().waitFor());
    }

    /** Waits for a line, and ends a process that it has started. */
    static final class Signalled {

        private Signalled() {
        }

        public static void main(String[] arguments) throws Exception {
            ContainerSignals.leaveToContainer();
            System.out.println("ready");
            assertEquals('\n', System.in.read());
            Process child = new ProcessBuilder("sleep", String.valueOf(2 * SECS)).start();
            child.destroy();
            System.out.println("child ended: " + child.waitFor(SECS, TimeUnit.SECONDS));
            child.destroyForcibly();
        }
    }
}
