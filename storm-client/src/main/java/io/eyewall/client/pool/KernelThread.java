package io.eyewall.client.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What Linux knows of a thread, and Java does not: Java takes a thread that waits in native code, such as for a socket, for one that runs.
 * Elsewhere nothing is known. For any thread.
 */
final class KernelThread {

    private static final Path PROC = Path.of("/proc");

    /** Whether a thread could go on if it got a processor. */
    enum State {
        /** It runs, or waits for a processor: it was preempted, or the CPU quota of its control group is used up. */
        RUNNABLE,
        /** It waits for something else, such as a lock, a socket, a disk, or the end of a sleep. */
        WAITING,
        UNKNOWN
    }

    /** Null if nothing is known. */
    private final Path directory;

    private KernelThread(Path directory) {
        this.directory = directory;
    }

    /** The calling thread. */
    static KernelThread current() {
        try {
            return new KernelThread(PROC.resolve(Files.readSymbolicLink(PROC.resolve("thread-self"))));
        } catch (IOException | UnsupportedOperationException e) {
            return new KernelThread(null);
        }
    }

    State state() {
        String stat = read("stat"); // The name of the thread, which is in brackets, may have any characters.
        int state = stat.lastIndexOf(')') + 2;
        if (state <= 1 || state >= stat.length()) {
            return State.UNKNOWN;
        }
        return stat.charAt(state) == 'S' || stat.charAt(state) == 'D' ? State.WAITING : State.RUNNABLE;
    }

    /** How long it has waited for a processor so far, in nanoseconds; 0 if that is not known. */
    long preemptedNs() {
        String[] numbers = read("schedstat").split(" ", 3);
        return numbers.length > 1 ? Long.parseLong(numbers[1]) : 0;
    }

    private String read(String file) {
        try {
            return directory == null ? "" : Files.readString(directory.resolve(file));
        } catch (IOException e) {
            return ""; // The thread has ended.
        }
    }
}
