package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.storm.generated.ExecutorSummary;

/** The topology {@code flood} while it runs in a cluster: changes it, and checks what it does. Not thread safe. */
final class Flood {

    static final String TOPOLOGY = "flood";
    static final int WORKERS = 2;
    /** Executors that it is submitted with. */
    static final Map<String, Integer> EXECUTORS = Map.of("slow", 4, "pooled", 4, "relay", 2, "keyed", 4);
    /** One for each task. */
    static final Map<String, Integer> MAX_EXECUTORS = Map.of("slow", 8, "pooled", 8, "relay", 4, "keyed", 8);

    private static final double NEARLY_FULL = 0.8;
    /** Of a bolt with a fields grouping: when one of its queues is full, others may not be. */
    private static final double PARTLY_FULL = 0.4;
    /** How long nothing comes where all has come, and where something is lost. */
    private static final long COMPLETE_MS = 1_000;
    private static final long LOST_MS = 20_000;

    private final ProcessCluster processes;
    private final DropInCluster cluster;
    private final int queueSize;
    private final Rebalances rebalances;
    private final FloodAccount account;
    private int workers = WORKERS;
    private Map<String, Integer> executors = EXECUTORS;
    /** The process ids of its workers before the changes that are under way, and how few workers were asked for since. */
    private Set<Long> pidsBefore;
    private int fewest = WORKERS;

    private Flood(ProcessCluster processes, DropInCluster cluster, int queueSize) {
        this.processes = processes;
        this.cluster = cluster;
        this.queueSize = queueSize;
        rebalances = new Rebalances(processes, TOPOLOGY, EXECUTORS);
        account = new FloodAccount(cluster.output(TOPOLOGY));
        pidsBefore = pids();
    }

    /** Submits it with these options, by which its queues have that size, and waits until it runs. */
    static Flood submit(ProcessCluster processes, Path directory, int queueSize, Map<String, String> options) {
        DropInCluster cluster = new DropInCluster(processes, directory, options);
        cluster.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, WORKERS);
        return new Flood(processes, cluster, queueSize);
    }

    /** Waits until queues are full in all workers. */
    void awaitFull() {
        double full = NEARLY_FULL * queueSize;
        processes.await("queues are full", () -> {
            account.update();
            return account.missing("slow") >= full * executors.get("slow")
                && account.missing("pooled") >= full * Math.min(workers, executors.get("pooled"))
                && account.missing("keyed") >= PARTLY_FULL * queueSize * executors.get("keyed");
        });
    }

    /** Asks for other numbers of workers and executors, while earlier changes may be under way. */
    void change(int newWorkers, Map<String, Integer> newExecutors) {
        workers = newWorkers;
        executors = newExecutors;
        fewest = Math.min(fewest, newWorkers);
        rebalances.change(newWorkers, newExecutors);
    }

    /** Asks for any numbers, and prints them. */
    void changeAtRandom(Random random) {
        System.out.println(rebalances.changeAtRandom(random, WORKERS, MAX_EXECUTORS));
    }

    /** Waits until the last change is over: bolts are open where they are assigned, and nowhere else. */
    void awaitChanged() {
        rebalances.awaitChanged(workers, executors);
        processes.await("bolts are where they are assigned", () -> {
            account.update();
            return account.open().equals(assigned());
        });
    }

    /** No worker has ended since this was asked last, except those that were to go. */
    void assertWorkersStayed() {
        Set<Long> now = pids();
        assertTrue(pidsBefore.stream().filter(now::contains).count() >= fewest, "the workers were " + pidsBefore + " and are " + now);
        pidsBefore = now;
        fewest = workers;
    }

    /** Waits until so many more tuples have come to its bolts. */
    void awaitMore(int tuples) {
        account.update();
        long enough = arrived() + tuples;
        processes.await(tuples + " more tuples come to the bolts", () -> {
            account.update();
            return arrived() >= enough;
        });
    }

    /** Has all that is emitted from now on come in order, and waits until so much of it has come. */
    void awaitOrder(int tuples) {
        account.update();
        account.expectOrder();
        processes.await(tuples + " tuples have come while nothing moves", () -> {
            account.update();
            return account.ordered() >= tuples;
        });
    }

    /** Kills any of its workers. */
    void killAWorker(Random random) {
        processes.await("there is a worker to kill", () -> !processes.workers(TOPOLOGY).isEmpty());
        List<WorkerProcess> alive = processes.workers(TOPOLOGY);
        alive.get(random.nextInt(alive.size())).kill();
    }

    /** Lets its spouts emit nothing more, and waits until all that they have emitted has come, or nothing comes any more. */
    FloodAccount drain() {
        processes.topologies().deactivate(TOPOLOGY);
        AtomicLong arrivedLast = new AtomicLong(-1);
        AtomicLong lastMs = new AtomicLong();
        processes.await("nothing more comes to the bolts", () -> {
            account.update();
            long arrived = arrived();
            if (arrivedLast.getAndSet(arrived) != arrived) {
                lastMs.set(System.currentTimeMillis());
            }
            boolean complete = FloodAccount.SPOUTS.keySet().stream().allMatch(bolt -> account.missing(bolt) == 0);
            return System.currentTimeMillis() - lastMs.get() > (complete ? COMPLETE_MS : LOST_MS);
        });
        return account;
    }

    /** Waits until each number that was emitted is acked; then lets the spouts emit no more, and waits until each message came back. */
    FloodAccount settle() {
        account.update();
        Map<String, Integer> ends = account.ends();
        processes.await("all numbers below " + ends + " are acked", () -> {
            account.update();
            return account.unacked(ends) == 0;
        });
        processes.topologies().deactivate(TOPOLOGY);
        AtomicReference<Map<String, SpoutAccount>> spouts = new AtomicReference<>(Map.of());
        try {
            processes.await("every message is accounted for", () -> {
                spouts.set(spoutAccounts());
                return spouts.get().values().stream().allMatch(SpoutAccount::isSettled);
            });
        } finally {
            System.out.println(spouts);
        }
        account.update();
        return account;
    }

    void end() {
        cluster.end(TOPOLOGY);
    }

    /** What has come to its bolts so far. */
    @Override
    public String toString() {
        return account.toString();
    }

    private Set<Long> pids() {
        return WorkerProcess.pids(processes.workers(TOPOLOGY));
    }

    private long arrived() {
        return FloodAccount.SPOUTS.keySet().stream().mapToLong(account::arrived).sum();
    }

    private Map<String, SpoutAccount> spoutAccounts() {
        Map<String, SpoutAccount> accounts = new TreeMap<>();
        for (String spout : Set.copyOf(FloodAccount.SPOUTS.values())) {
            Lines.byFile(cluster.output(TOPOLOGY), spout).forEach((task, lines) -> accounts.put(task, new SpoutAccount(lines)));
        }
        return accounts;
    }

    /** By the bolts' names and tasks, the ports of the workers that Nimbus has given them to. */
    private Map<String, Integer> assigned() {
        Map<String, Integer> ports = new TreeMap<>();
        for (ExecutorSummary executor : processes.topologies().info(TOPOLOGY).orElseThrow().get_executors()) {
            if (FloodAccount.SPOUTS.containsKey(executor.get_component_id())) {
                IntStream.rangeClosed(executor.get_executor_info().get_task_start(), executor.get_executor_info().get_task_end())
                    .forEach(task -> ports.put(executor.get_component_id() + "-" + task, executor.get_port()));
            }
        }
        return ports;
    }
}
