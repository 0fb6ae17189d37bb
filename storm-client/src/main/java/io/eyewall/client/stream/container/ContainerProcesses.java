package io.eyewall.client.stream.container;

import io.eyewall.client.stream.instance.InstanceMain;
import io.eyewall.client.stream.manager.StreamManagerMain;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.slot.ParentContainer;
import io.eyewall.client.stream.slot.ProcessFile;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.stream.slot.SlotTopology;
import io.eyewall.client.stream.wire.Hello;
import io.eyewall.client.time.NanoClock;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of a container: its stream manager, and its instances by name. Each has the JVM options and the class path of the
 * container, a heap of its own size, a directory of its own with links to what the Supervisor has put into the worker's, and a log beside
 * the worker's. So each process has files of its own where options have relative paths, such as logs of the garbage collector and heap
 * dumps. Used by one thread.
 */
final class ContainerProcesses {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerProcesses.class);

    private static final String LOG_FILE = "-Dlogfile.name=";
    /** What the Supervisor keeps in a worker's directory for itself. */
    private static final Set<String> NOT_LINKED =
        Set.of(InstanceMain.ARTIFACTS, "pids", ProcessFile.HEARTBEATS, "tmp", InstanceMain.DIRECTORY);
    /** Messages that wait for other containers are in the heap, and those that wait for instances are outside, in as much memory. */
    private static final int MANAGER_HEAP_MB = 256;
    private static final int PROCESS_HEAP_MB = 48;
    private static final int START_HEAP_MB = 16;
    /** Storm's defaults of how long a Supervisor waits for a worker, and Nimbus for an executor. */
    private static final int START_SECS = 120;
    private static final int BEAT_SECS = 30;
    /** A JVM that starts takes a core for some seconds. With many at once, Supervisors and containers would beat too late. */
    private static final int MAX_STARTING = 2 * Runtime.getRuntime().availableProcessors();

    private final Slot slot;
    private final SlotTopology topology;
    private final Path workerRoot;
    private final ChildProcess.Patience patience;
    private final Map<String, ChildProcess> instances = new TreeMap<>();
    /** What each of these processes runs. */
    private final Map<String, Instance> contents = new HashMap<>();
    /** What the stream manager has been told of. */
    private Set<Integer> running = Set.of();
    private final NanoClock clock;
    private final String secret = newSecret();
    private final long leaveNs;
    private final long launchNs;
    /** When {@link #keepRunning} could last write all that it had to write. */
    private long writtenNs;
    private ChildProcess manager;

    /** {@code workerRoot} is the worker's directory. No process runs. */
    ContainerProcesses(Slot slot, SlotTopology topology, Path workerRoot, NanoClock clock) {
        this.clock = clock;
        this.slot = slot;
        this.topology = topology;
        this.workerRoot = workerRoot.toAbsolutePath();
        patience = new ChildProcess.Patience(seconds("supervisor.worker.start.timeout.secs", START_SECS),
            seconds(Config.SUPERVISOR_WORKER_TIMEOUT_SECS, BEAT_SECS));
        // Spouts wait for messages that are pending, which have failed by the end of the second timeout.
        leaveNs = 2 * seconds(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, BEAT_SECS) + TimeUnit.SECONDS.toNanos(BEAT_SECS);
        launchNs = seconds("nimbus.task.launch.secs", START_SECS);
        writtenNs = clock.nanoTime();
    }

    private long seconds(String key, int otherwise) {
        return TimeUnit.SECONDS.toNanos(ObjectReader.getInt(topology.conf().get(key), otherwise));
    }

    private static String newSecret() {
        byte[] bytes = new byte[Hello.SECRET_BYTES / 2];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Makes instances leave that are not wanted or have other executors, and starts those that do not run. An instance that shares
     * its name or a task with a leaving one starts after that one has ended, and only when the stream manager knows that no other container
     * has or starts it.
     */
    void keepRunning(List<Instance> wanted, long nowNs) throws IOException {
        try {
            adapt(wanted, nowNs);
        } catch (IOException e) {
            instances.values().forEach(process -> process.notice(nowNs));
            throw e;
        }
        keepRunning(instances.values(), MAX_STARTING, nowNs);
        writtenNs = nowNs;
    }

    private void adapt(List<Instance> wanted, long nowNs) throws IOException {
        if (manager == null) {
            manager = new ChildProcess(StreamManagerMain.NAME, command(StreamManagerMain.NAME, MANAGER_HEAP_MB, StreamManagerMain.class,
                List.of()), prepared(StreamManagerMain.NAME), secret, () -> beat(StreamManagerMain.NAME), patience);
        }
        manager.keepRunning(nowNs);
        Map<String, List<String>> commands = new HashMap<>();
        for (Instance instance : wanted) {
            List<String> arguments = new ArrayList<>(List.of(".." + File.separator + StreamManagerMain.NAME + File.separator
                + StreamManagerMain.SOCKET));
            arguments.addAll(InstanceMain.arguments(instance));
            commands.put(instance.name(), command(instance.name(), heapMb(instance), InstanceMain.class, arguments));
        }
        haveOthersLeave(commands, nowNs);
        contents.keySet().retainAll(instances.keySet());
        List<Instance> additions = startable(wanted.stream().filter(instance -> !instances.containsKey(instance.name())).toList());
        writeRunning(additions);
        if (!additions.isEmpty()) {
            additions = startable(additions);
            writeRunning(additions);
        }
        additions.forEach(instance -> contents.put(instance.name(), instance));
        commands.keySet().retainAll(contents.keySet());
        for (Map.Entry<String, List<String>> command : commands.entrySet()) {
            if (!instances.containsKey(command.getKey())) {
                instances.put(command.getKey(), new ChildProcess(command.getKey(), command.getValue(), prepared(command.getKey()),
                    secret, () -> beat(command.getKey()), patience));
            }
        }
    }

    /**
     * Those of these instances that run, or may still be expected to. It is no longer expected of one whose process, or the stream manager
     * without which none starts, has been silent for longer than Nimbus gives an executor to start. One that waits for its turn, such as
     * until another container gives up its tasks, is expected.
     */
    List<Instance> expected(List<Instance> of, long nowNs) {
        boolean canStart = nowNs - writtenNs <= launchNs && (manager == null || !manager.isSilentFor(launchNs, nowNs));
        return of.stream().filter(instance -> {
            ChildProcess process = instances.get(instance.name());
            return (process == null || process.isLeaving()) ? canStart : !process.isSilentFor(launchNs, nowNs);
        }).toList();
    }

    /**
     * Watches processes, except those that leave, and starts those that do not run. While {@code most} of them are starting, no other one
     * is started.
     */
    static void keepRunning(Collection<ChildProcess> processes, int most, long nowNs) throws IOException {
        long starting = processes.stream().filter(ChildProcess::isStarting).count();
        for (ChildProcess process : processes) {
            if (!process.isLeaving() && (!process.hasEnded() || starting < most)) {
                boolean wasRunning = !process.hasEnded();
                process.keepRunning(nowNs);
                starting += !wasRunning && process.isStarting() ? 1 : 0;
            } else {
                process.waitForTurn(nowNs);
            }
        }
    }

    /**
     * Whether an instance may be started, which does not run in this container.
     *
     * @param startable the tasks that no other container has or starts
     * @param leaving the tasks of processes of this container that have not left
     */
    static boolean mayStart(Instance instance, Set<Integer> startable, Set<Integer> leaving) {
        return startable.containsAll(instance.tasks()) && instance.tasks().stream().noneMatch(leaving::contains);
    }

    private List<Instance> startable(List<Instance> missing) throws IOException {
        Set<Integer> startable = ProcessFile.readTasks(directory(StreamManagerMain.NAME).resolve(ProcessFile.STARTABLE));
        Set<Integer> leaving = instances.entrySet().stream().filter(entry -> entry.getValue().isLeaving())
            .flatMap(entry -> contents.get(entry.getKey()).tasks().stream()).collect(Collectors.toSet());
        return missing.stream().filter(instance -> mayStart(instance, startable, leaving)).toList();
    }

    private void writeRunning(List<Instance> additions) throws IOException {
        Set<Integer> next = Stream.concat(contents.values().stream(), additions.stream()).flatMap(its -> its.tasks().stream())
            .collect(Collectors.toCollection(TreeSet::new));
        if (!next.equals(running)) {
            ProcessFile.write(directory(StreamManagerMain.NAME).resolve(ProcessFile.RUNNING), next);
            running = next;
        }
    }

    private void haveOthersLeave(Map<String, List<String>> commands, long nowNs) {
        List<ChildProcess> ended = new ArrayList<>();
        instances.entrySet().removeIf(entry -> {
            ChildProcess process = entry.getValue();
            if (!process.isLeaving() && !process.command().equals(commands.get(entry.getKey()))) {
                LOG.info("The process {} leaves, since the assignment has changed.", entry.getKey());
                process.leave(ParentContainer.Leave.NOW, nowNs);
            }
            boolean isLate = process.isLeaving() && !process.hasEnded() && process.leavesForNs(nowNs) > leaveNs;
            if (isLate && process.hasLeft()) {
                LOG.warn("The process {} has sent all that it had, but has not ended for {} s, and is killed.", entry.getKey(),
                    TimeUnit.NANOSECONDS.toSeconds(leaveNs));
                ended.add(process);
            } else if (isLate) {
                LOG.warn("The process {} has not left for {} s, and ends now. Tuples that it still has are lost, unless spouts emit them"
                    + " again.", entry.getKey(), TimeUnit.NANOSECONDS.toSeconds(leaveNs));
                ended.add(process);
            }
            return isLate || (process.isLeaving() && process.hasEnded());
        });
        end(ended, seconds(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 1));
    }

    /** Whether no instance runs, and nothing is left in the stream manager. */
    boolean areFinished() {
        return instances.isEmpty() && Files.exists(directory(StreamManagerMain.NAME).resolve(ProcessFile.FINISHED));
    }

    /** The directories of instances. */
    List<Path> directories(List<Instance> of) {
        return of.stream().map(instance -> directory(instance.name())).toList();
    }

    /**
     * Ends all processes in that time. In the first half of it instances execute and send what they have, and end by themselves, each
     * behind those that send to it. The others are ended then, until three quarters are over, and the stream manager last.
     */
    void end(long atMostNs) {
        long fromNs = clock.nanoTime();
        if (manager != null && !manager.hasEnded()) { // Without it, nothing that they still emit arrives.
            drain(instances.values(), atMostNs / 2);
        }
        end(instances.values(), fromNs + atMostNs / 4 * 3 - clock.nanoTime());
        if (instances.values().stream().allMatch(ChildProcess::hasEnded)) {
            contents.clear();
            try {
                writeRunning(List.of());
            } catch (IOException e) {
                LOG.warn("Cannot clear the list of running tasks. Others start these tasks only after some seconds: {}", e.toString());
            }
        }
        if (manager != null) {
            end(List.of(manager), fromNs + atMostNs / 8 * 7 - clock.nanoTime()); // The rest is for this process.
        }
    }

    private void drain(Collection<ChildProcess> processes, long atMostNs) {
        long fromNs = clock.nanoTime();
        leave(processes, ParentContainer.Leave.BEHIND_ALL, fromNs + atMostNs / 2);
        leave(processes, ParentContainer.Leave.BEHIND_CONTAINER, fromNs + atMostNs);
        List<String> late = instances.entrySet().stream().filter(entry -> !entry.getValue().hasLeft()).map(Map.Entry::getKey).toList();
        if (!late.isEmpty()) {
            LOG.warn("These instances have not executed and sent all that they have within {} ms, and end now: {}. What they still have is"
                + " lost, unless spouts emit it again. Increase {} to give them more time.", TimeUnit.NANOSECONDS.toMillis(atMostNs), late,
                Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS);
        }
    }

    private void leave(Collection<ChildProcess> processes, ParentContainer.Leave when, long deadlineNs) {
        processes.stream().filter(process -> !process.hasEnded()).forEach(process -> process.leave(when, clock.nanoTime()));
        try {
            for (ChildProcess process : processes) {
                process.awaitLeft(deadlineNs - clock.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Collection<ChildProcess> processes, long atMostNs) {
        long deadlineNs = clock.nanoTime() + atMostNs;
        processes.forEach(ChildProcess::end);
        try {
            for (ChildProcess process : processes) {
                process.awaitEnd(deadlineNs - clock.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The time of a process's last heartbeat, a file as a worker writes it, by the clock of the file system; 0 if there is none. */
    private long beat(String name) {
        File[] beats = directory(name).resolve(ProcessFile.HEARTBEATS).toFile().listFiles();
        return beats == null ? 0 : Arrays.stream(beats).mapToLong(File::lastModified).max().orElse(0);
    }

    /** The directory of a process. */
    Path directory(String name) {
        return workerRoot.resolve(InstanceMain.DIRECTORY).resolve(name);
    }

    /** Makes the directory of a process; only this user may enter it. */
    private Path prepared(String name) throws IOException {
        Path directory = Files.createDirectories(directory(name));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(workerRoot)) {
            for (Path entry : entries) {
                String entryName = String.valueOf(entry.getFileName());
                if (!NOT_LINKED.contains(entryName)) {
                    link(directory.resolve(entryName), entry);
                }
            }
        }
        Path artifacts = workerRoot.resolve(InstanceMain.ARTIFACTS);
        if (Files.isDirectory(artifacts)) {
            link(directory.resolve(InstanceMain.ARTIFACTS), Files.createDirectories(artifacts.toRealPath().resolve(name)));
        }
        return directory;
    }

    private static void link(Path link, Path target) throws IOException {
        if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
            Files.createSymbolicLink(link, target);
        }
    }

    private List<String> command(String name, int heapMb, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream().filter(option -> !option.startsWith(LOG_FILE))
            .forEach(command::add);
        command.add(LOG_FILE + name + ".log");
        command.add("-Xms" + Math.min(START_HEAP_MB, heapMb) + "m"); // If an option is there twice, the JVM takes the last one.
        command.add("-Xmx" + heapMb + "m");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(slot.arguments());
        command.addAll(arguments);
        return command;
    }

    /** What Storm takes for itself, and the memory that its resource keys give to the executors, in MB. */
    private int heapMb(Instance instance) {
        double mb = instance.executors().stream()
            .mapToDouble(executor -> topology.heapMb(topology.of(executor.get(0).intValue()))).sum();
        return PROCESS_HEAP_MB + (int) Math.ceil(mb);
    }
}
