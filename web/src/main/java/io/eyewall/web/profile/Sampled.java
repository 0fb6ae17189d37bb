package io.eyewall.web.profile;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the width of a flame graph can stand for. A recording has all of them, except that only async-profiler has wall-clock samples. */
public enum Sampled {
    CPU("CPU time", "nothing ran%s while it was recorded. Record for longer, or under load."),
    WALL("Time, running or not", "there are no wall-clock samples%s. Only async-profiler takes them, which this recording is not by."),
    LOCK("Time that threads waited for locks", "nobody waited for a lock%s while it was recorded."),
    ALLOC("Bytes allocated", "nothing was allocated%s while it was recorded.");

    /** Where threads wait in the kernel, which the Flight Recorder samples as if they ran. */
    private static final Pattern IN_KERNEL = Pattern.compile(".*\\b(EPoll\\.wait|Native\\.epoll(Busy)?Wait\\d?|KQueue\\.poll"
        + "|Net\\.(accept|poll)|SocketDispatcher\\.read0|socketAccept|ProcessHandleImpl\\.waitForProcessExit0)(_\\[.])?");
    /** Where threads wait for work, which the Flight Recorder takes for waiting for a lock. */
    private static final Pattern FOR_WORK = Pattern.compile(".*;jdk\\.internal\\.misc\\.Unsafe\\.park(_\\[.])?"
        + "(;(?!java\\.util\\.concurrent\\.(locks\\.Reentrant|Semaphore)).*)?");

    private final String title;
    private final String nothing;

    Sampled(String title, String nothing) {
        this.title = title;
        this.nothing = nothing;
    }

    /** What has that name, which is async-profiler's: {@code cpu} and so on. */
    public static Optional<Sampled> of(String name) {
        return Stream.of(values()).filter(sampled -> sampled.key().equals(name)).findFirst();
    }

    /** All names. */
    public static String keys() {
        return Stream.of(values()).map(Sampled::key).collect(Collectors.joining(", "));
    }

    /** Its name on the command line and in addresses. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What the width stands for. */
    String title() {
        return title;
    }

    /** Why a graph is empty: what did not happen in whose threads. */
    public String nothing(Optional<String> threads) {
        return String.format(Locale.ROOT, nothing, threads.map(name -> " in a thread of " + name).orElse(""));
    }

    /** Whether a stack, as {@code outer;inner}, only waits, and is no part of the graph. */
    boolean leavesOut(String stack) {
        return switch (this) {
            case CPU -> IN_KERNEL.matcher(stack).matches();
            case LOCK -> FOR_WORK.matcher(stack).matches();
            default -> false;
        };
    }
}
