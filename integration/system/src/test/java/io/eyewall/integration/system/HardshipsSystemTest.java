package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Signals;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A topology with a replayable source loses nothing while the disk is full, file descriptors run out, ZooKeeper stands still for longer
 * than sessions last, clocks jump, and processes die: each once, or in any order for as long as {@code eyewall.soak.secs} says, from the
 * seed that it prints or that {@code eyewall.seed} sets. A daemon that ends is started again, as in a real cluster, and must have said
 * why it ended, unless the disk was full.
 */
@Tag("system")
@Tag("long")
class HardshipsSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("hardships");
    private static final String TOPOLOGY = "replay";
    private static final String OPEN_FILES = "Max open files";
    private static final String CLOCK = "clock-";
    private static final int SESSION_MS = 6_000;
    private static final int MANY = 300;
    private static final int LONGEST_SECS = 20;
    private static final int MAX_JUMP_SECS = 7_200;

    @Order(1)
    @RegisterExtension
    static final SmallDisk DISK = new SmallDisk(DIRECTORY.resolve("disk"));

    @Order(2)
    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(),
        DISK.directory().resolve("cluster")).withSupervisors(2, 2).withEnvironment(clocks()).withSettings(QuickSettings.all())
        .withSettings(Map.of("nimbus.task.timeout.secs", 20, "nimbus.task.launch.secs", 60, "storm.zookeeper.session.timeout", SESSION_MS,
            "storm.zookeeper.connection.timeout", SESSION_MS, "blacklist.scheduler.tolerance.count", 1_000)));

    private final ProcessCluster processes = CLUSTER.cluster();
    private final DropInCluster cluster = new DropInCluster(processes, DIRECTORY,
        Map.of("dropin.replay.count", "1000000", "dropin.replay.account", "true", "dropin.replay.timeout.secs", "10"));
    /** How long the outputs of daemons were before the hardship. */
    private final Map<Daemon, Long> saidBefore = new HashMap<>();
    private boolean isDiskFull;

    @Test
    void shouldLoseNothingInHardTimes() throws Exception {
        long seed = Long.getLong("eyewall.seed", System.currentTimeMillis());
        System.out.println("Hardships from -Deyewall.seed=" + seed);
        Random random = new Random(seed);
        cluster.submit(TOPOLOGY);
        awaitManyMore();
        long endMs = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(Integer.getInteger("eyewall.soak.secs", 0));
        List<Hardship> hardships = new ArrayList<>(List.of(this::fillTheDisk, this::takeDescriptors, this::stallZooKeeper, this::jump,
            this::kill));
        do {
            Collections.shuffle(hardships, random);
            for (Hardship hardship : hardships) {
                daemons().forEach(daemon -> saidBefore.put(daemon, said(daemon)));
                hardship.on(random);
                isDiskFull = false;
                awaitManyMore();
            }
        } while (System.currentTimeMillis() < endMs);
        awaitAllAcked();
        processes.topologies().deactivate(TOPOLOGY);
        AtomicReference<SpoutAccount> account = new AtomicReference<>();
        try {
            processes.await("every message is accounted for", () -> {
                account.set(new SpoutAccount(cluster.lines(TOPOLOGY, "numbers")));
                return account.get().isSettled();
            });
        } finally {
            System.out.println(account + ".");
        }
    }

    /** Each daemon, and its workers, has a clock of its own, where there is a C compiler. */
    private static Map<String, String> clocks() {
        try {
            Path library = DIRECTORY.resolve("clock.so");
            if (run("gcc", "-shared", "-fPIC", "-O2", "-o", library.toString(),
                Installations.sourceTree().resolve("integration/system/src/test/resources/clock.c").toString(), "-ldl") != 0) {
                System.out.println("No clock jumps without gcc.");
                return Map.of();
            }
            for (String daemon : List.of("zookeeper", "nimbus", "supervisor-1", "supervisor-2")) {
                Files.write(DIRECTORY.resolve(CLOCK + daemon), new byte[Long.BYTES]);
            }
            return Map.of("LD_PRELOAD", library.toString(), "EYEWALL_CLOCK", DIRECTORY.resolve(CLOCK + "%s").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes into the file, which processes have mapped. */
    private static void set(Path clock, long secs) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, secs);
        try (FileChannel file = FileChannel.open(clock, StandardOpenOption.WRITE)) {
            file.write(bytes, 0);
        }
    }

    private void fillTheDisk(Random random) throws IOException {
        isDiskFull = true;
        DISK.fill();
        try {
            rest(random);
        } finally {
            DISK.free();
        }
    }

    /** Leaves a process the descriptors that it has open, and one more. */
    private void takeDescriptors(Random random) throws IOException {
        List<Long> pids = new ArrayList<>(processes.workers(TOPOLOGY).stream().map(WorkerProcess::pid).toList());
        daemons().filter(Daemon::isAlive).map(Daemon::pid).forEach(pids::add);
        long pid = pids.get(random.nextInt(pids.size()));
        long open;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            open = descriptors.mapToLong(descriptor -> Long.parseLong(descriptor.getFileName().toString())).max().orElse(0);
        }
        String limit = softLimit(pid);
        System.out.println("Process " + pid + " gets no descriptor above " + (open + 1) + ".");
        run("prlimit", "--pid", String.valueOf(pid), "--nofile=" + (open + 2) + ":");
        rest(random);
        if (ProcessHandle.of(pid).isPresent()) {
            run("prlimit", "--pid", String.valueOf(pid), "--nofile=" + limit + ":");
        }
    }

    private static String softLimit(long pid) throws IOException {
        try (Stream<String> limits = Files.lines(Path.of("/proc", String.valueOf(pid), "limits"))) {
            return limits.filter(line -> line.startsWith(OPEN_FILES)).map(line -> line.substring(OPEN_FILES.length()).strip()
                .split(" +", -1)[0]).findAny().orElseThrow();
        }
    }

    private void stallZooKeeper(Random random) {
        long pid = processes.zooKeeper().pid();
        System.out.println("ZooKeeper stands still.");
        Signals.send("STOP", pid);
        try {
            sleep(2 * SESSION_MS + random.nextInt(SESSION_MS));
        } finally {
            Signals.send("CONT", pid);
        }
    }

    /** Sets the clock of a daemon and of its workers forward or back. It stays so. */
    private void jump(Random random) throws IOException {
        List<Daemon> all = daemons().toList();
        Daemon daemon = all.get(random.nextInt(all.size()));
        int secs = random.nextInt(2 * MAX_JUMP_SECS) - MAX_JUMP_SECS;
        System.out.println("The clock of " + daemon.name() + " is set to " + secs + " s from now.");
        set(DIRECTORY.resolve(CLOCK + daemon.name()), secs);
        rest(random);
    }

    private void kill(Random random) {
        processes.await("there is a worker to kill", () -> !processes.workers(TOPOLOGY).isEmpty());
        List<WorkerProcess> workers = processes.workers(TOPOLOGY);
        workers.get(random.nextInt(workers.size())).kill();
        List<Daemon> all = daemons().toList();
        Daemon daemon = all.get(random.nextInt(all.size()));
        System.out.println("A worker and " + daemon.name() + " are killed.");
        daemon.kill();
        daemon.start();
    }

    private static void rest(Random random) {
        sleep(TimeUnit.SECONDS.toMillis(LONGEST_SECS / 2 + random.nextInt(LONGEST_SECS / 2)));
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while something was hard.", e);
        }
    }

    private Stream<Daemon> daemons() {
        return Stream.concat(Stream.of(processes.zooKeeper(), processes.nimbus()), processes.supervisors().stream());
    }

    private void awaitManyMore() {
        long enough = acks() + MANY;
        processes.await(MANY + " more messages are acked", () -> {
            daemons().filter(daemon -> !daemon.isAlive()).forEach(this::startAgain);
            return acks() >= enough;
        });
    }

    private void startAgain(Daemon daemon) {
        boolean hasSaid = said(daemon) > saidBefore.getOrDefault(daemon, 0L);
        System.out.println(daemon.name() + " has ended" + (hasSaid ? " and said why." : "."));
        assertTrue(hasSaid || isDiskFull, () -> daemon.name() + " has ended and does not say why in " + daemon.logDirectory());
        daemon.start();
    }

    /** How many lines on problems there are in what the daemon has logged and printed. */
    private long said(Daemon daemon) {
        Path printed = daemon.logDirectory().resolve(daemon.name() + ".out");
        try (Stream<String> lines = Files.exists(printed) ? Files.lines(printed) : Stream.empty()) {
            return processes.problems(daemon).size() + lines.filter(line -> line.contains("ERROR") || line.contains("Exception")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long acks() {
        return cluster.count(TOPOLOGY, "numbers", "ack ");
    }

    /** Waits until every number up to the last that has been emitted is acked; then both bolts must have got them all. */
    private void awaitAllAcked() {
        int end = 1 + cluster.lines(TOPOLOGY, "first").stream().mapToInt(Integer::parseInt).max().orElseThrow();
        Set<String> all = IntStream.range(0, end).mapToObj(String::valueOf).collect(Collectors.toSet());
        Set<String> acks = all.stream().map(number -> "ack " + number).collect(Collectors.toSet());
        processes.await("all numbers below " + end + " are acked", () -> Set.copyOf(cluster.lines(TOPOLOGY, "numbers")).containsAll(acks));
        assertTrue(Set.copyOf(cluster.lines(TOPOLOGY, "first")).containsAll(all));
        assertTrue(Set.copyOf(cluster.lines(TOPOLOGY, "second")).containsAll(all));
    }

    private static int run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            assertTrue(process.waitFor(2, TimeUnit.MINUTES), () -> "does not end: " + List.of(command));
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Something that makes life hard for a while. */
    @FunctionalInterface
    private interface Hardship {

        void on(Random random) throws IOException;
    }
}
