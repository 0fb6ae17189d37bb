package io.eyewall.client.pool;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A control group of Linux whose threads together get a bounded part of one processor, as those of a container with a limit do. */
final class CpuQuota implements AutoCloseable {

    /** Control groups of version 1. Those of version 2 cannot take single threads out of a process by themselves. */
    private static final Path ROOT = Path.of("/sys/fs/cgroup/cpu");
    private static final String THREADS = "tasks";

    private final Path group;

    private CpuQuota(Path group) {
        this.group = group;
    }

    /** A group without threads; skips the test, and says why, where there can be none. */
    static CpuQuota of(int quotaUs, int periodUs) throws IOException {
        Path threads = ROOT.resolve(THREADS);
        assumeTrue(Files.exists(threads), () -> "no CPU quota for single threads: this host has no control groups of version 1 at " + ROOT);
        Path group = ROOT.resolve("eyewall-test-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(group);
            Files.writeString(group.resolve("cpu.cfs_period_us"), String.valueOf(periodUs));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), String.valueOf(quotaUs));
        } catch (IOException e) {
            Files.deleteIfExists(group);
            abort("no CPU quota: this user may not make a control group: " + e);
        }
        return new CpuQuota(group);
    }

    /** Has the quota apply to the calling thread. */
    void limitThisThread() {
        try {
            Files.writeString(group.resolve(THREADS), "0");
        } catch (IOException e) {
            throw new IllegalStateException("cannot limit a thread", e);
        }
    }

    @Override
    public void close() throws IOException {
        for (String thread : Files.readAllLines(group.resolve(THREADS))) {
            Files.writeString(ROOT.resolve(THREADS), thread);
        }
        Files.delete(group);
    }
}
