package io.eyewall.integration.cluster;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A worker's own JVM, which is not its parent: that is another JVM, which only copies what the worker prints.
 *
 * @param pid process id of the worker's JVM
 * @param topologyId the topology that it works for
 * @param supervisorId the supervisor that launched it
 * @param port its slot's port
 * @param workerId the name of its directory below the supervisor's {@code workers/}
 */
public record WorkerProcess(long pid, String topologyId, String supervisorId, int port, String workerId) {

    private static final String MAIN_CLASS = "org.apache.storm.daemon.worker.Worker";
    private static final String COPYING_PARENT = "org.apache.storm.LogWriter";

    /** The process ids of the worker's JVM and of all that it has started: its instances and stream manager, or programs of bolts. */
    public Set<Long> processes() {
        return ProcessTable.withDescendants(Set.of(pid));
    }

    /** CPU seconds, user and system, of each of its {@link #processes}. */
    public Map<Long, Double> cpuSeconds() {
        return processes().stream().collect(Collectors.toMap(Function.identity(), ProcessTable::cpuSeconds));
    }

    /** Kills it as {@code kill -9} does. Does nothing if it has ended. */
    public void kill() {
        ProcessTable.kill(pid);
    }

    /** Asks it to end, as {@code kill} does, without waiting for it. Does nothing if it is gone. */
    public void stop() {
        ProcessTable.stop(pid);
    }

    /** Whether it runs, from that installation. */
    public boolean runsFrom(StormHome home) {
        return ProcessTable.commandLines().getOrDefault(pid, List.of()).contains("-Dstorm.home=" + home.root());
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return ProcessTable.isAlive(pid);
    }

    /** The ids of the processes of workers. One that has restarted has another id. */
    public static Set<Long> pids(Collection<WorkerProcess> workers) {
        return workers.stream().map(WorkerProcess::pid).collect(Collectors.toSet());
    }

    /** All workers of the cluster whose logs are below the directory, which may be one of the workers' containers. */
    public static List<WorkerProcess> below(Path directory) {
        return commandLinesBelow(directory).entrySet().stream()
            .flatMap(process -> parse(process.getKey(), process.getValue()).stream())
            .toList();
    }

    /** The process ids of all workers of the cluster and of the parents that copy what they print. */
    static Set<Long> pidsBelow(Path directory) {
        return commandLinesBelow(directory).keySet();
    }

    private static Map<Long, List<String>> commandLinesBelow(Path directory) {
        Map<Long, List<String>> lines = ProcessTable.commandLines();
        lines.values().removeIf(words -> !words.contains(MAIN_CLASS)
            || words.stream().noneMatch(word -> word.startsWith("-Dworkers.artifacts=" + directory + "/")));
        return lines;
    }

    /** The command ends with: main class, topology id, supervisor id, the supervisor's port, the slot's port, worker id. */
    static Optional<WorkerProcess> parse(long pid, List<String> command) {
        int main = command.indexOf(MAIN_CLASS);
        if (main < 0 || command.size() != main + 6 || command.contains(COPYING_PARENT)) {
            return Optional.empty();
        }
        return Optional.of(new WorkerProcess(
            pid, command.get(main + 1), command.get(main + 2), Integer.parseInt(command.get(main + 4)), command.get(main + 5)));
    }
}
