package io.eyewall.integration.bench;

import io.eyewall.integration.cluster.WorkerProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * What makes one of a topology's workers, that with the highest port, slower than the others.
 */
enum Hardship {

    /** Nothing does. */
    NONE {
        @Override
        Closeable impose(List<WorkerProcess> workers) {
            return () -> { };
        }
    },

    /** Each worker has a core of its own, and the slow one shares its with a process that always computes. Needs {@code taskset}. */
    COMPETITOR {
        @Override
        Closeable impose(List<WorkerProcess> workers) throws IOException {
            int cores = Runtime.getRuntime().availableProcessors();
            List<WorkerProcess> byPort = byPort(workers);
            if (cores < byPort.size()) {
                throw new BenchException("a competing process needs a core for each of the " + byPort.size() + " workers; there are "
                    + cores);
            }
            for (int core = 0; core < byPort.size(); core++) {
                call("taskset", "-acp", String.valueOf(core), String.valueOf(byPort.get(core).pid()));
            }
            // It ends with this JVM, however that ends.
            String loop = "while [ -d /proc/" + ProcessHandle.current().pid() + " ]; do :; done";
            Process competitor =
                new ProcessBuilder("taskset", "-c", String.valueOf(byPort.size() - 1), "sh", "-c", loop).inheritIO().start();
            return competitor::destroyForcibly;
        }
    },

    /** The slow worker may compute for 45 % of the time of one core, in periods of 10 ms. Needs root and cgroup v1's CPU controller. */
    SLOW_HOST {
        @Override
        Closeable impose(List<WorkerProcess> workers) throws IOException {
            if (!Files.isWritable(GROUPS.resolve("cgroup.procs"))) {
                throw new BenchException("a slow host needs root and " + GROUPS + ", the CPU controller of cgroup v1");
            }
            Path group = Files.createDirectories(GROUPS.resolve("eyewall-bench-" + ProcessHandle.current().pid()));
            Files.writeString(group.resolve("cpu.cfs_period_us"), "10000");
            Files.writeString(group.resolve("cpu.cfs_quota_us"), "4500");
            List<WorkerProcess> byPort = byPort(workers);
            Files.writeString(group.resolve("cgroup.procs"), String.valueOf(byPort.get(byPort.size() - 1).pid()));
            return () -> {
                for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
                    Files.writeString(GROUPS.resolve("cgroup.procs"), pid);
                }
                Files.delete(group);
            };
        }
    };

    private static final Path GROUPS = Path.of("/sys/fs/cgroup/cpu");

    /**
     * Imposes it until it is closed.
     *
     * @param workers all of the topology's, which run
     * @throws BenchException if this machine cannot, with what is missing
     */
    abstract Closeable impose(List<WorkerProcess> workers) throws IOException;

    private static List<WorkerProcess> byPort(List<WorkerProcess> workers) {
        return workers.stream().sorted(Comparator.comparingInt(WorkerProcess::port)).toList();
    }

    private static void call(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new BenchException(String.join(" ", command) + " failed: " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException(String.join(" ", command) + " was interrupted");
        }
    }
}
