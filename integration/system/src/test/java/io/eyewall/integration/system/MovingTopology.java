package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.generated.RebalanceOptions;

/** A topology in two containers with stream managers, whose instances move while its spout emits numbers. */
final class MovingTopology {

    static final String NAME = "rolling";

    private final ProcessCluster processes;
    private final DropInCluster cluster;

    /** Not submitted yet; {@code cluster} is where it will run. */
    MovingTopology(ProcessCluster processes, DropInCluster cluster) {
        this.processes = processes;
        this.cluster = cluster;
    }

    /**
     * Submits it. Another number of ackers, which have no work here, sends all other executors to the other container, if the scheduler
     * deals them anew and nothing brings them back. Then bolts get these numbers of executors, one change after the other.
     */
    void move(List<Map<String, Integer>> changes) {
        cluster.submit(NAME);
        processes.awaitRunning(NAME, 2);
        awaitAllWays();
        Map<String, Long> before = places();
        Set<Long> former = instances("");

        processes.topologies().rebalance(NAME, 0, Map.of("__acker", 1));
        processes.await("all instances have gone to the other container", () -> Collections.disjoint(instances(""), former)
            && places().keySet().equals(before.keySet()));
        awaitAllWays();
        changes.forEach(this::changeExecutors);
        assertEquals(Set.copyOf(before.values()), Set.copyOf(places().values()));
    }

    /** A container loses all of its executors, or there is a new one. */
    void changeWorkers(int workers) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(0);
        options.set_num_workers(workers);
        processes.topologies().rebalance(NAME, options);
        processes.await("all instances are in " + workers + " containers, and there are no others", () ->
            Set.copyOf(places().values()).size() == workers && processes.workers(NAME).size() == workers);
        awaitAllWays();
    }

    /** Ends the spout: each of its numbers has come once, and in order. */
    void assertInPlace() {
        cluster.stopSpouts(NAME);
        processes.await("all messages are settled, and have come", () -> {
            MessageAccount account = account();
            return account.isSettled() && account.recorded().keySet().equals(account.emitted().keySet());
        });

        MessageAccount account = account();
        account.assertNothingLost();
        assertEquals(Set.of(1L), Set.copyOf(account.emitted().values()), "nothing was emitted again");
        assertEquals(Set.of(1L), Set.copyOf(account.recorded().values()), "nothing has come twice");
        assertEquals(List.of(), cluster.lines(NAME, "numbers").stream().filter(line -> line.startsWith("fail ")).toList());
        assertInOrder(cluster.byFile(NAME, "sink"));
    }

    /** Then the tasks of a bolt share an instance that had one each, or the other way round. */
    private void changeExecutors(Map<String, Integer> executors) {
        Map<String, Set<Long>> former = new HashMap<>();
        executors.keySet().forEach(bolt -> former.put(bolt, instances(bolt)));
        processes.topologies().rebalance(NAME, 0, executors);
        processes.await("the bolts have as many new instances as executors: " + executors, () ->
            executors.keySet().stream().allMatch(bolt -> {
                Set<Long> now = instances(bolt);
                return now.size() == executors.get(bolt) && Collections.disjoint(now, former.get(bolt));
            }));
        awaitAllWays();
    }

    /** The last change is over when numbers that were emitted after it have come over each task of the first bolt to each of the last. */
    private void awaitAllWays() {
        Map<String, Integer> seen = new HashMap<>();
        cluster.byFile(NAME, "sink").forEach((task, lines) -> seen.put(task, lines.size()));
        int last = cluster.lines(NAME, "numbers").stream().filter(line -> line.startsWith("emit ")).map(line -> line.split(" ", 3)[1])
            .mapToInt(Integer::parseInt).max().orElse(-1);
        processes.await("numbers after " + last + " have come over all ways", () -> {
            Map<String, List<String>> byTask = cluster.byFile(NAME, "sink");
            return byTask.size() == 2 && byTask.entrySet().stream().allMatch(task -> task.getValue().stream()
                .skip(seen.getOrDefault(task.getKey(), 0)).mapToInt(MovingTopology::number)
                .filter(number -> number > last).map(number -> number % 2).distinct().count() == 2);
        });
    }

    private static int number(String line) {
        return Integer.parseInt(line.split(" ", 2)[0]);
    }

    /** The processes of a component's instances, or of all if its name is empty. */
    private Set<Long> instances(String component) {
        Set<Long> found = new TreeSet<>();
        processes.workers(NAME).forEach(container -> ContainerChildren.of(container, ContainerChildren.INSTANCES).forEach((pid, name) -> {
            if (name.startsWith(component)) {
                found.add(pid);
            }
        }));
        return found;
    }

    /** Even numbers have come over one task of the first bolt, and odd ones over the other: each in order to each task of the last bolt. */
    private static void assertInOrder(Map<String, List<String>> byTask) {
        assertEquals(2, byTask.size());
        byTask.forEach((task, lines) -> {
            int[] last = {-1, -1};
            List<Integer> late = new ArrayList<>();
            for (String line : lines) {
                int number = number(line);
                if (number < last[number % 2]) {
                    late.add(number);
                }
                last[number % 2] = Math.max(last[number % 2], number);
            }
            assertEquals(List.of(), late, () -> "of " + lines.size() + " these came late to " + task);
        });
    }

    private MessageAccount account() {
        return MessageAccount.of(cluster.lines(NAME, "numbers"), cluster.lines(NAME, "sink"));
    }

    /** The container of each instance, by its pid. The process of an instance that has left may take a while to end. */
    private Map<String, Long> places() {
        Map<String, Long> found = new TreeMap<>();
        processes.await("no instance has processes in two containers", () -> {
            found.clear();
            boolean isOnce = true;
            for (WorkerProcess container : processes.workers(NAME)) {
                for (String instance : ContainerChildren.of(container, ContainerChildren.INSTANCES).values()) {
                    isOnce &= found.put(instance, container.pid()) == null;
                }
            }
            return isOnce;
        });
        return found;
    }
}
