package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One long-running process of a cluster, which can be killed and started again, from another installation if it is one of Storm's.
 * Thread safe.
 */
public final class Daemon {

    private static final long DEATH_TIMEOUT_SECS = 30;

    private final String name;
    private final Function<StormHome, List<String>> commands;
    private final Path directory;
    private final Path logDirectory;
    private final Map<String, String> environment;

    /** Null if the command is not Storm's. Guarded by this. */
    private StormHome home;
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
        this(name, null, always(command), directory, logDirectory, Map.of());
    }

    /** A daemon of Storm's: {@code commands} has its command line for any installation, {@code home} is the first to start it from. */
    Daemon(String name, StormHome home, Function<StormHome, List<String>> commands, Path directory, Path logDirectory,
           Map<String, String> environment) {
        this.name = name;
        this.home = home;
        this.commands = commands;
        this.directory = directory;
        this.logDirectory = logDirectory;
        this.environment = environment;
    }

    /**
     * Starts the process from another installation, with the same configuration, state and logs. It starts from there from now on.
     * Throws {@link IllegalStateException} if it runs or is not one of Storm's daemons.
     */
    public synchronized void startFrom(StormHome other) {
        if (home == null) {
            throw new IllegalStateException(name + " is not started from an installation of Storm.");
        }
        refuseIfAlive();
        home = other;
        start();
    }

    /** Starts the process; throws {@link IllegalStateException} if it runs. */
    public synchronized void start() {
        refuseIfAlive();
        List<String> command = commands.apply(home);
        try {
            Files.createDirectories(directory);
            Files.createDirectories(logDirectory);
            ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logDirectory.resolve(name + ".out").toFile()));
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().putAll(environment);
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
        awaitDeath();
    }

    /**
     * Asks the process to end, as {@code kill} does, and returns when it is gone. Does nothing if it does not run; throws
     * {@link ClusterException} if it goes on for half a minute.
     */
    public synchronized void stop() {
        if (process != null) {
            process.destroy();
            awaitDeath();
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

    private static Function<StormHome, List<String>> always(List<String> command) {
        List<String> copy = List.copyOf(command);
        return home -> copy;
    }

    private synchronized void refuseIfAlive() {
        if (isAlive()) {
            throw new IllegalStateException(name + " runs already, with process id " + process.pid() + ".");
        }
    }

    private synchronized void awaitDeath() {
        try {
            if (!process.waitFor(DEATH_TIMEOUT_SECS, TimeUnit.SECONDS)) {
                Signals.send("QUIT", process.pid()); // A JVM prints the stacks of its threads.
                process.waitFor(1, TimeUnit.SECONDS);
                throw new ClusterException(name + " (process " + process.pid() + ") does not die: what its threads do is in "
                    + logDirectory.resolve(name + ".out") + ".");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while " + name + " (process " + process.pid() + ") was dying.", e);
        }
    }
}
