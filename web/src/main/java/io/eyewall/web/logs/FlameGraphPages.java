package io.eyewall.web.logs;

import io.eyewall.web.api.HttpException;
import io.eyewall.web.api.Parameters;
import io.eyewall.web.profile.FlameGraph;
import io.eyewall.web.profile.Sampled;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Draws flame graphs of recordings, each in a JVM of its own with little memory and time, and in a page that may do nothing but run its own
 * script: a topology may have written anything into a recording. Safe for any thread.
 */
final class FlameGraphPages {

    private static final int UNREADABLE = 422;
    private static final int UNAVAILABLE = 503;
    private static final long MAX_BYTES = 256L << 20;
    private static final int LONGEST_SECONDS = 60;
    private static final int LONGEST_NAME = 300;
    private static final int MAX_WAITING = 4;

    private final Set<String> origins;
    private final Semaphore place = new Semaphore(1);

    /** For pages of these sites, which may show it in a frame. */
    FlameGraphPages(Set<String> origins) {
        this.origins = origins;
    }

    void write(Request asked, LogFile recording) throws HttpException, IOException {
        allowFrame(asked.response());
        Sampled sampled = sampled(asked);
        String threads = asked.query().getOrDefault("thread", "");
        if (threads.length() > LONGEST_NAME || threads.chars().anyMatch(Character::isISOControl)) {
            throw HttpException.badRequest("thread is not a component or executor. Use a name such as count or count[4-4].");
        }
        if (!recording.name().endsWith(".jfr")) {
            throw HttpException.notFound("This is not a recording: its name does not end with .jfr.");
        }
        if (recording.size() > MAX_BYTES) {
            throw new HttpException(UNREADABLE, "The recording is longer than " + (MAX_BYTES >> 20) + " MB. Download it, and look at it"
                + " with JDK Mission Control.");
        }
        takePlace();
        Path copy = null;
        Path page = null;
        try {
            copy = Files.createTempFile("recording-", ".jfr");
            page = Files.createTempFile("flame-graph-", ".html");
            // A copy, so that the worker can put nothing else in its place.
            try (InputStream bytes = recording.bytes()) {
                Files.copy(bytes, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            draw(copy, recording.name() + (threads.isEmpty() ? "" : ", " + threads), sampled, threads, page);
            send(page, asked.response());
        } finally {
            place.release();
            for (Path file : new Path[] {copy, page}) {
                if (file != null) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Also what is wrong must be seen there. */
    private void allowFrame(HttpServletResponse response) {
        response.setHeader("X-Frame-Options", null);
        response.setHeader("Content-Security-Policy", "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src"
            + " 'unsafe-inline'; img-src data:; frame-ancestors " + String.join(" ", origins.isEmpty() ? List.of("'none'") : origins));
    }

    /** Waits for those that are being drawn, if they are few. */
    private void takePlace() throws HttpException {
        try {
            if (place.getQueueLength() < MAX_WAITING && place.tryAcquire(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new HttpException(UNAVAILABLE, "Other flame graphs are being drawn on this host. Try again in a moment.");
    }

    private static Sampled sampled(Request asked) throws HttpException {
        String event = asked.query().getOrDefault("event", Sampled.CPU.key());
        return Sampled.of(event).orElseThrow(
            () -> HttpException.badRequest("event is " + Parameters.shown(event) + ". Use one of " + Sampled.keys() + "."));
    }

    private static void draw(Path recording, String title, Sampled sampled, String threads, Path page)
            throws HttpException, IOException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-cp", jar(FlameGraph.class) + File.pathSeparator + jar(one.convert.FlameGraph.class),
            FlameGraph.class.getName(), recording.toString(), title, sampled.name(), threads)
            .redirectOutput(page.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new HttpException(UNREADABLE, "The recording could not be drawn in " + LONGEST_SECONDS + " s. Download it, and look"
                    + " at it with JDK Mission Control.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HttpException(UNAVAILABLE, "The logviewer ends.");
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() == FlameGraph.EMPTY) {
            throw new HttpException(UNREADABLE, "There is nothing to draw: "
                + sampled.nothing(Optional.of(threads).filter(name -> !name.isEmpty())));
        }
        if (process.exitValue() != 0) {
            throw new HttpException(UNREADABLE, "The file is not a whole recording.");
        }
    }

    private static void send(Path page, HttpServletResponse response) throws IOException {
        response.setContentType("text/html;charset=utf-8");
        response.setHeader("Cache-Control", "no-cache, no-store");
        response.setContentLengthLong(Files.size(page));
        Files.copy(page, response.getOutputStream());
    }

    private static Path jar(Class<?> type) throws IOException {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException("The jar of " + type + " cannot be named.", e);
        }
    }
}
