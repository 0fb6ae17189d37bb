package io.eyewall.client.stream.slot;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The container that has started this process, which holds the other end of its standard input. The first line there is the secret of the
 * container's processes; nobody finds it in a command line or an environment. When the container ends, in whatever way, the input ends, and
 * this process must end as well.
 */
public final class ParentContainer {

    /** When an instance leaves. */
    public enum Leave {

        /** Its executors go to another instance: as soon as its spouts have no messages pending. */
        NOW('n'),
        /** The container stops: behind all instances whose tuples come to it, in whatever container. */
        BEHIND_ALL('a'),
        /** Half of the time for that is over: behind those of its own container, and spouts do not wait for messages that are pending. */
        BEHIND_CONTAINER('c');

        private final char symbol;

        Leave(char symbol) {
            this.symbol = symbol;
        }

        private static Leave of(int symbol) {
            return Arrays.stream(values()).filter(leave -> leave.symbol == symbol).findFirst().orElse(NOW);
        }
    }

    /** How long a process has to end by itself when its container has ended. It may still be starting, and wait for ZooKeeper. */
    public static final int END_SECS = 15;

    private static final Logger LOG = LoggerFactory.getLogger(ParentContainer.class);
    private static final int MAX_SECRET_BYTES = 1_024;

    private final InputStream input;
    private final String secret;
    private final Runnable whenLate;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Reached when the process has to leave, or at the end. */
    private final CountDownLatch leaving = new CountDownLatch(1);
    /** Written by the thread that watches. */
    private volatile Leave leave = Leave.NOW;

    /**
     * Reads the secret and begins to watch, with a thread of its own. Nobody else may read the input.
     *
     * @throws IOException if the input ends before there is a secret
     */
    public ParentContainer(InputStream input) throws IOException {
        this(input, () -> Runtime.getRuntime().halt(1));
    }

    /** The same, with what is done when the process has not ended in time. */
    ParentContainer(InputStream input, Runnable whenLate) throws IOException {
        this.input = input;
        this.whenLate = whenLate;
        secret = readLine();
        Thread watch = new Thread(this::watch, "watch-container");
        watch.setDaemon(true);
        watch.start();
    }

    /** Sends the secret to a process that was started, to be read by the constructor. */
    public static void sendSecret(OutputStream input, String secret) throws IOException {
        input.write((secret + "\n").getBytes(StandardCharsets.US_ASCII));
        input.flush();
    }

    /** Asks a process that was started to leave: to end when it has done all that it has to do. The last request counts. */
    public static void askToLeave(OutputStream input, Leave when) throws IOException {
        input.write(when.symbol);
        input.flush();
    }

    /** What the processes of the container know, and nobody else. */
    public String secret() {
        return secret;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = input.read(); read != '\n'; read = input.read()) {
            if (read < 0 || line.length() == MAX_SECRET_BYTES) {
                throw new IOException("This process needs the secret of its container as the first line of its standard input, and found"
                    + " none. Containers start it; do not start it by hand.");
            }
            line.append((char) read);
        }
        return line.toString();
    }

    private void watch() {
        try {
            for (int read = input.read(); read >= 0; read = input.read()) {
                leave = Leave.of(read);
                leaving.countDown();
            }
        } catch (IOException e) {
            // It has ended as well.
        } finally {
            ended.countDown(); // First, so that an end does not look like a request to leave.
            leaving.countDown();
        }
        try {
            TimeUnit.SECONDS.sleep(END_SECS);
            LOG.warn("The container ended {} s ago. This process has not ended since, and is halted.", END_SECS);
            whenLate.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until this process has to leave or to end; returns whether it has to leave, for which it has time. */
    public boolean awaitLeave() throws InterruptedException {
        leaving.await();
        return ended.getCount() > 0;
    }

    /** When this process has to leave, by the last request; {@link Leave#NOW} before the first one. For any thread. */
    public Leave leave() {
        return leave;
    }

    /** Waits for at most that long for the container's end; returns false when it has ended. */
    public boolean isAlive(long waitMs) throws InterruptedException {
        return !ended.await(waitMs, TimeUnit.MILLISECONDS);
    }
}
