package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One long-running process of a cluster, which can be killed and started again with the same command. Thread safe.
 */
public final class Daemon {

    private static final long DEATH_TIMEOUT_SECS = 30;

    private final String name;
    private final List<String> command;
    private final Path directory;
    private final Path logDirectory;

    /** Null before the first start. Guarded by this. */
    private Process process;

    /**
     * Describes a process; does not start it.
     *
     * @param name its name in messages and file names
     * @param command the whole command line
     * @param directory the working directory, made if missing
     * @param logDirectory of the daemon's logs, and of {@code <name>.out}, which gets what it prints
     */
    public Daemon(String name, List<String> command, Path directory, Path logDirectory) {
        this.name = name;
        this.command = List.copyOf(command);
        this.directory = directory;
        this.logDirectory = logDirectory;
    }

    /** Starts the process; throws {@link IllegalStateException} if it runs already. */
    public synchronized void start() {
        if (isAlive()) {
            throw new IllegalStateException(name + " runs already, with process id " + process.pid() + ".");
        }
        try {
            Files.createDirectories(directory);
            Files.createDirectories(logDirectory);
            ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logDirectory.resolve(name + ".out").toFile()));
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + name + " with " + command.get(0) + " in " + directory, e);
        }
    }

    /** Kills the process as {@code kill -9} does, without its children, and returns when it is gone. Does nothing unless it runs. */
    public synchronized void kill() {
        if (process == null) {
            return;
        }
        process.destroyForcibly();
        try {
            if (!process.waitFor(DEATH_TIMEOUT_SECS, TimeUnit.SECONDS)) {
                throw new ClusterException(name + " (process " + process.pid() + ") is still there " + DEATH_TIMEOUT_SECS
                    + " s after it was killed.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while " + name + " (process " + process.pid() + ") ended.", e);
        }
    }

    /** Whether the process runs. */
    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Waits until the process ends by itself, and returns whether it did in time. */
    boolean waitFor(long timeout, TimeUnit unit) {
        Process waitedFor;
        synchronized (this) {
            waitedFor = process;
        }
        try {
            return waitedFor.waitFor(timeout, unit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while " + name + " (process " + waitedFor.pid() + ") was running.", e);
        }
    }

    /** The exit code of the process, which must have ended. */
    synchronized int exitValue() {
        return process.exitValue();
    }

    /** The process id; throws {@link IllegalStateException} before the first start. */
    public synchronized long pid() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started.");
        }
        return process.pid();
    }

    /** The name in messages and file names. */
    public String name() {
        return name;
    }

    /** Where this daemon writes its logs. */
    public Path logDirectory() {
        return logDirectory;
    }
}
