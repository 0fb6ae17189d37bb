package io.eyewall.core.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns SIGINT, SIGTERM and the end of standard input into one request to stop, and lets the command end in its own time and with its own
 * exit code. Without this class a signal ends the JVM at once with the signal's exit code.
 */
final class StopRequests {

    private static final long END_TIMEOUT_SECONDS = 30;

    private final CountDownLatch stop;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Written before {@link #ended} is counted down, read after. */
    private int exitCode;

    /** Counts {@code stop} down at the first request. */
    StopRequests(CountDownLatch stop) {
        this.stop = stop;
        Runtime.getRuntime().addShutdownHook(new Thread(this::shutDown, "stop-at-signal"));
    }

    /** Watches for the end of {@code input} on a thread of its own. */
    void watch(InputStream input) {
        Thread thread = new Thread(() -> awaitEnd(input), "stop-at-end-of-input");
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends the JVM; to be called when the command is done. */
    void end(int exitCode) {
        this.exitCode = exitCode;
        ended.countDown();
        System.exit(exitCode);
    }

    private void awaitEnd(InputStream input) {
        try {
            input.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // An input that cannot be read any more has ended too.
        }
        stop.countDown();
    }

    private void shutDown() {
        stop.countDown();
        try {
            if (ended.await(END_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(exitCode);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
