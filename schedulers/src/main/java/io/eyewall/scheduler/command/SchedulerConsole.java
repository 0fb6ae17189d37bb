package io.eyewall.scheduler.command;

import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/** Where a command that asks the cluster's scheduler waits for it and prints. For one thread. */
final class SchedulerConsole {

    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final long POLL_MS = 500;
    /** How long to wait for the scheduler's response in addition to two of its rounds. */
    private static final long RESPONSE_TIMEOUT_SECS = 60;

    private final String command;
    private final Pause pause;
    private final PrintStream out;
    private final PrintStream err;

    /** {@code command} begins each line of errors. */
    SchedulerConsole(String command, Pause pause, PrintStream out, PrintStream err) {
        this.command = command;
        this.pause = pause;
        this.out = out;
        this.err = err;
    }

    /** Waits between two polls. */
    @FunctionalInterface
    interface Pause {

        /** Returns after this many milliseconds. */
        void ms(long ms) throws InterruptedException;
    }

    /** Looks for something that may not exist yet. */
    @FunctionalInterface
    interface Poll<T> {

        Optional<T> poll() throws TException;
    }

    /** What a command does with the cluster. */
    @FunctionalInterface
    interface Run {

        /** Returns the exit code. */
        int with(SchedulerClient client, SchedulerConsole console) throws Exception;
    }

    /**
     * Runs a command, and ends this process with its exit code.
     *
     * @throws Exception what the command throws, or if Nimbus cannot be reached
     */
    static void exitAfter(String command, Run run) throws Exception {
        int exitCode;
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            exitCode = run.with(new NimbusBlobs(nimbus.getClient()),
                new SchedulerConsole(command, TimeUnit.MILLISECONDS::sleep, System.out, System.err));
        }
        System.exit(exitCode);
    }

    PrintStream out() {
        return out;
    }

    /** Says why a request is refused, and returns the exit code for that. */
    int refuse(String why) {
        err.println(command + ": " + why);
        return 1;
    }

    /** Says what is wrong with a command line, and returns the exit code for that. */
    int misused(IllegalArgumentException wrong, String usage) {
        err.println(command + ": " + wrong.getMessage());
        err.println(usage);
        return 2;
    }

    /** How long a scheduler may take for its response, in seconds. */
    static long responseSecs(SchedulerClient.SchedulerInfo scheduler) {
        return 2L * scheduler.roundSecs() + RESPONSE_TIMEOUT_SECS;
    }

    /** Asks until there is something, or for that many seconds. */
    <T> Optional<T> await(long secs, Poll<T> poll) throws TException, InterruptedException {
        for (long leftMs = TimeUnit.SECONDS.toMillis(secs); leftMs > 0; leftMs -= POLL_MS) {
            Optional<T> found = poll.poll();
            if (found.isPresent()) {
                return found;
            }
            pause();
        }
        return Optional.empty();
    }

    /** Waits as between two polls; returns for how long, in milliseconds. */
    long pause() throws InterruptedException {
        pause.ms(POLL_MS);
        return POLL_MS;
    }

    /** That time, in milliseconds since 1970, where this process is. */
    static String time(long ms) {
        return TIME.format(Instant.ofEpochMilli(ms));
    }

    /** The text with a full stop. */
    static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }
}
