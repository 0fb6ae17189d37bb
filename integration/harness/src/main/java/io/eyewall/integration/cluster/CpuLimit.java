package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.awaitility.Awaitility;

/**
 * A limit on the CPU time that some processes use together: a group of cgroup v1's CPU controller. Processes that they start are in the
 * group, too. Thread safe.
 */
public final class CpuLimit implements AutoCloseable {

    private static final Path GROUPS = Path.of("/sys/fs/cgroup/cpu");
    private static final String PROCESSES = "cgroup.procs";
    /** Short, so that a process that has used up its time does not wait for long. */
    private static final long PERIOD_US = 10_000;
    /** The smallest quota that the kernel accepts. */
    private static final long MIN_QUOTA_US = 1_000;
    private static final Duration EMPTY_WITHIN = Duration.ofSeconds(10);

    private final Path group;

    private CpuLimit(Path group) {
        this.group = group;
    }

    /** Why this machine cannot limit CPU time, or empty if it can. */
    public static Optional<String> unavailabilityCause() {
        return Files.isWritable(GROUPS.resolve(PROCESSES))
            ? Optional.empty()
            : Optional.of("limiting CPU needs root and " + GROUPS + ", the CPU controller of cgroup v1");
    }

    /**
     * Makes an empty group.
     *
     * @param name of the group, which must not exist
     * @param cores the CPU time in every 10 ms, as a number of cores, 0.1 or more
     * @throws ClusterException with the cause if this machine cannot
     */
    public static CpuLimit of(String name, double cores) {
        unavailabilityCause().ifPresent(cause -> {
            throw new ClusterException(cause.substring(0, 1).toUpperCase(Locale.ROOT) + cause.substring(1) + ".");
        });
        long quotaUs = Math.round(cores * PERIOD_US);
        if (quotaUs < MIN_QUOTA_US) {
            throw new IllegalArgumentException("A CPU limit is at least 0.1 cores, not " + cores + ".");
        }
        Path group = GROUPS.resolve(name);
        try {
            Files.createDirectory(group);
            Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_US));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quotaUs));
        } catch (IOException e) {
            throw new ClusterException("Cannot make " + group + ": " + e.getMessage(), e);
        }
        return new CpuLimit(group);
    }

    /** Adds a running process, without the processes that it has started already. */
    public void add(long pid) {
        try {
            Files.writeString(group.resolve(PROCESSES), Long.toString(pid));
        } catch (IOException e) {
            throw new ClusterException("Cannot add process " + pid + " to " + group + ": " + e.getMessage(), e);
        }
    }

    /** The words in front of a command line that make it run in the group. */
    List<String> commandPrefix() {
        return List.of("sh", "-c", "echo $$ > " + group.resolve(PROCESSES) + " && exec \"$@\"", "sh");
    }

    /** Removes the group; processes that are left in it go on without a limit. */
    @Override
    public void close() {
        Awaitility.await().pollDelay(Duration.ZERO).atMost(EMPTY_WITHIN).until(() -> {
            empty();
            return group.toFile().delete();
        });
    }

    private void empty() {
        try {
            for (String pid : Files.readAllLines(group.resolve(PROCESSES))) {
                release(pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void release(String pid) throws IOException {
        try {
            Files.writeString(GROUPS.resolve(PROCESSES), pid);
        } catch (IOException e) {
            if (Files.exists(Path.of("/proc", pid))) {
                throw e;
            }
        }
    }
}
