package io.eyewall.integration.bench;

import io.eyewall.integration.cluster.CpuLimit;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/**
 * Slows down one of a topology's workers: the one with the highest port.
 */
enum WorkerSlowdown {

    /** Slows down no worker. */
    NONE {
        @Override
        Closeable impose(List<WorkerProcess> workers) {
            return () -> { };
        }
    },

    /** Each worker has a core of its own; the slow one shares its core with a process that always computes. Needs {@code taskset}. */
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
            // It ends with this JVM, even if that is killed.
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
            CpuLimit limit = CpuLimit.of("eyewall-bench-" + ProcessHandle.current().pid(), SLOW_CORES);
            List<WorkerProcess> byPort = byPort(workers);
            limit.add(byPort.get(byPort.size() - 1).pid());
            return limit::close;
        }
    };

    private static final double SLOW_CORES = 0.45;

    /**
     * Slows the worker down until the returned object is closed.
     *
     * @param workers all running workers of the topology
     * @throws BenchException if this machine cannot do that; the message says what is missing
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
