package io.eyewall.client.stream.container;

import io.eyewall.client.stream.slot.ParentContainer;
import io.eyewall.client.stream.slot.ProcessFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process of a container, which is started again whenever it ends: at once if it had run for a minute. If not, or if it cannot be
 * started, after a second, and then after twice as long each time, up to 15 s. A process that sends no heartbeat is killed. Its standard
 * input stays open until it must end.
 * Used by one thread.
 */
final class ChildProcess {

    private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);

    private static final long FIRST_DELAY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_DELAY_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long STEADY_NS = TimeUnit.MINUTES.toNanos(1);
    /** The exit code of a process that has got SIGKILL. */
    private static final int KILLED = 128 + 9;

    private final String name;
    private final List<String> command;
    private final Path directory;
    private final String secret;
    private final LongSupplier beats;
    private final Patience patience;
    private Process process;
    private long startedNs;
    private long lastBeat;
    private long beatNs;
    private boolean hasBeaten;
    /** Whether this container has killed the process that was started last. */
    private boolean isKilled;
    private boolean wasTried;
    /**
     * The last heartbeat of any of the processes that were started, or the first attempt to start one if there was none. Later by the time
     * for which it has not been its turn to start since.
     */
    private long aliveNs;
    private long lookedNs;
    private long delayNs = FIRST_DELAY_NS;
    private long dueNs;
    private boolean isLeaving;
    private long leavesSinceNs;

    /**
     * A process that has not been started.
     *
     * @param directory where it runs
     * @param secret what it is given
     * @param beats returns a new number after each heartbeat of the process
     */
    ChildProcess(String name, List<String> command, Path directory, String secret, LongSupplier beats, Patience patience) {
        this.secret = secret;
        this.beats = beats;
        this.patience = patience;
        this.name = name;
        this.command = List.copyOf(command);
        this.directory = directory;
    }

    /** Whether the last heartbeat came in time, if the process sends any. Times of files are only compared with each other. */
    private boolean isAtWork(long nowNs) {
        noticeBeats(nowNs);
        return nowNs - beatNs <= (hasBeaten ? patience.beatNs : patience.startNs);
    }

    private void noticeBeats(long nowNs) {
        long beat = beats.getAsLong();
        if (beat != lastBeat) {
            lastBeat = beat;
            beatNs = nowNs;
            aliveNs = nowNs;
            hasBeaten = true;
        }
    }

    /** The command, which shows whether the process is still the right one. */
    List<String> command() {
        return command;
    }

    /** Starts the process if it does not run and its time has come. */
    void keepRunning(long nowNs) throws IOException {
        lookedNs = nowNs;
        if (process != null && process.isAlive()) {
            if (isAtWork(nowNs)) {
                return;
            }
            if (!isKilled) {
                isKilled = true;
                LOG.warn("The process {} has sent no heartbeat for {} s{}, and is killed.", name,
                    TimeUnit.NANOSECONDS.toSeconds(nowNs - beatNs), hasBeaten ? "" : " since it was started");
            }
            process.destroyForcibly();
            return; // It is started again when it has ended.
        }
        if (process != null) {
            Files.deleteIfExists(directory.resolve(ProcessFile.STARTABLE)); // Nobody knows any longer whether it is true.
            if (hasBeaten && nowNs - startedNs > STEADY_NS) {
                delayNs = FIRST_DELAY_NS;
                dueNs = nowNs;
            } else {
                startLater(nowNs);
            }
            int code = process.exitValue();
            LOG.warn("The process {} has ended with exit code {}. {} {}.log, beside the log of this container. Starting it again {}.",
                name, code, whereToLook(code), name,
                dueNs <= nowNs ? "at once" : "in " + TimeUnit.NANOSECONDS.toMillis(dueNs - nowNs) + " ms");
            process = null;
        }
        if (dueNs == 0 || nowNs - dueNs >= 0) {
            start(nowNs);
        }
    }

    private String whereToLook(int code) {
        if (code != KILLED) {
            return "Its log says why:";
        }
        return isKilled ? "This container has killed it. What it did last is at the end of"
            : "It was killed, perhaps by the kernel for lack of memory: see dmesg, and the end of";
    }

    /** Notices its heartbeats, and neither starts nor kills it. */
    void notice(long nowNs) {
        lookedNs = nowNs;
        if (!hasEnded()) {
            noticeBeats(nowNs);
        }
    }

    /** It is not started yet, since others are starting. */
    void waitForTurn(long nowNs) {
        aliveNs += nowNs - lookedNs;
        lookedNs = nowNs;
    }

    private void start(long nowNs) {
        if (!wasTried) {
            wasTried = true;
            aliveNs = nowNs;
        }
        try {
            Files.deleteIfExists(directory.resolve(ProcessFile.LEFT));
            process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT).start();
        } catch (IOException e) { // The machine is short of memory, or of processes.
            startLater(nowNs);
            LOG.warn("Cannot start the process {}: {}. Trying again in {} ms.", name, e.getMessage(),
                TimeUnit.NANOSECONDS.toMillis(dueNs - nowNs));
            return;
        }
        startedNs = nowNs;
        beatNs = nowNs;
        lastBeat = beats.getAsLong();
        hasBeaten = false;
        isKilled = false;
        sendSecret(process);
        LOG.info("The process {} has started with pid {}.", name, process.pid());
    }

    private void startLater(long nowNs) {
        delayNs = Math.min(2 * delayNs, LAST_DELAY_NS);
        dueNs = nowNs + delayNs / 2;
    }

    private void sendSecret(Process started) {
        try {
            ParentContainer.sendSecret(started.getOutputStream(), secret);
        } catch (IOException e) {
            LOG.debug("The process {} has ended at once", name, e);
        }
    }

    /** Whether it runs and has sent no heartbeat so far. */
    boolean isStarting() {
        return !hasEnded() && !hasBeaten;
    }

    /** Whether it has sent no heartbeat for that time, counted from the first attempt to start it, although it should run. */
    boolean isSilentFor(long silenceNs, long nowNs) {
        return wasTried && nowNs - aliveNs > silenceNs;
    }

    /** Asks the process to end when it has done what it has to do. It is not started again. */
    void leave(ParentContainer.Leave when, long nowNs) {
        leavesSinceNs = nowNs;
        isLeaving = true;
        if (process != null) {
            try {
                ParentContainer.askToLeave(process.getOutputStream(), when);
            } catch (IOException e) {
                LOG.debug("The process {} has ended before", name, e);
            }
        }
    }

    /** Whether it has been asked to leave. */
    boolean isLeaving() {
        return isLeaving;
    }

    /** Whether it has left, or does not run for another reason. */
    boolean hasEnded() {
        return process == null || !process.isAlive();
    }

    /** For how many nanoseconds it has been leaving. */
    long leavesForNs(long nowNs) {
        return nowNs - leavesSinceNs;
    }

    /** Whether it has executed and sent all that it had, as a process that leaves does. It may still be closing what it has open. */
    boolean hasLeft() {
        return hasEnded() || Files.exists(directory.resolve(ProcessFile.LEFT));
    }

    /** Asks the process to end by itself. */
    void end() {
        if (process != null) {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                LOG.debug("The process {} has ended before", name, e);
            }
        }
    }

    /** Waits until the process has ended, for at most that time. */
    void awaitLeft(long atMostNs) throws InterruptedException {
        if (process != null) {
            boolean unused = process.waitFor(Math.max(0, atMostNs), TimeUnit.NANOSECONDS);
        }
    }

    /** Waits until the process has ended, and kills it if that takes longer. */
    void awaitEnd(long atMostNs) throws InterruptedException {
        if (process != null && !process.waitFor(Math.max(0, atMostNs), TimeUnit.NANOSECONDS)) {
            LOG.warn("The process {} has not ended in time, and is killed.", name);
            process.destroyForcibly().waitFor();
        }
    }

    /**
     * How long a process may be silent.
     *
     * @param startNs until its first beat
     * @param beatNs from then on
     */
    record Patience(long startNs, long beatNs) {
    }
}
