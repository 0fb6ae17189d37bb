package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same failures while the topology runs in containers with stream managers, and an instance that cannot start. */
@Tag("system")
@Tag("long")
class StreamManagerFailuresSystemTest extends FailuresSystemTest {

    private static final String BOLT = "second";
    /** Less than a call of a Supervisor that is down takes, with a restart after two seconds. */
    private static final Duration SOON = Duration.ofSeconds(8);
    private static final int STEADY_SECS = 15;
    private static final long MAY_GROW_KB = 48 * 1024;

    @Override
    String name() {
        return "stream-manager-failures";
    }

    @Override
    Map<String, Object> settings() {
        return Map.of(StreamConfiguration.MODE, "stream-manager", "topology.component.resources.onheap.memory.mb", 128.0);
    }

    /** Nimbus gives an executor half a minute to start. Without its directory a process cannot be started. */
    @Test
    void shouldRunAnExecutorElsewhereWhoseInstanceCannotStart() throws IOException {
        Map.Entry<Long, String> victim = bolts().entrySet().iterator().next();
        WorkerProcess container = container(victim.getKey());
        Path directory = Files.readSymbolicLink(Path.of("/proc/" + victim.getKey() + "/cwd"));

        Files.move(directory, directory.resolveSibling(victim.getValue() + ".moved"));
        ProcessHandle.of(victim.getKey()).ifPresent(ProcessHandle::destroyForcibly);

        processes.await(victim.getValue() + " runs elsewhere", () -> bolts().entrySet().stream()
            .anyMatch(bolt -> bolt.getValue().equals(victim.getValue()) && container(bolt.getKey()).pid() != container.pid()));
        awaitRecovery();
        assertEquals(2, bolts().size(), () -> "each executor runs once: " + bolts());
    }

    /** A call of a Supervisor that is down takes ten seconds and more, in which the container goes on looking after its processes. */
    @Test
    void shouldRestartAnInstanceSoonWhileItsSupervisorIsDown() {
        Map.Entry<Long, String> victim = bolts().entrySet().iterator().next();
        WorkerProcess container = container(victim.getKey());
        processes.supervisors().forEach(Daemon::kill);
        awaitManyMore(); // A call has begun by then.

        for (int kills = 0; kills < 2; kills++) {
            long pid = instances(container).entrySet().stream().filter(its -> its.getValue().equals(victim.getValue())).findFirst()
                .orElseThrow().getKey();
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            processes.await(victim.getValue() + " is back", SOON, () -> instances(container).entrySet().stream()
                .anyMatch(its -> its.getValue().equals(victim.getValue()) && its.getKey() != pid));
        }

        processes.supervisors().forEach(Daemon::start);
        awaitRecovery();
    }

    /** The Supervisor does not know the instance. */
    @Test
    void shouldEndAnInstanceThatStandsStillWhenItsContainerIsKilled() throws IOException, InterruptedException {
        long stopped = bolts().keySet().iterator().next();
        WorkerProcess container = container(stopped);
        assertEquals(0, new ProcessBuilder("kill", "-STOP", String.valueOf(stopped)).start().waitFor());
        container.kill();

        processes.await("the next container has killed it", () -> ProcessHandle.of(stopped).isEmpty());
        processes.awaitRunning(TOPOLOGY, 2);
        awaitRecovery();
        assertEquals(2, bolts().size(), () -> "each executor runs once: " + bolts());
    }

    /** A bolt that sleeps for 4 ms over each tuple passes 250 of 700 in a second. */
    @Test
    void shouldHoldBackOnlySendersWithStages() throws IOException, InterruptedException {
        String name = "held-by-stages";
        processes.submit(Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", name)
            .with("topology.workers", 2).with("topology.acker.executors", 0).with("eyewall.rate.per.sec", 700)
            .with("eyewall.work.ms.bolt-0", 4).with("eyewall.parallelism", 1).with("eyewall.tasks", 1)
            .with("topology.executor.receive.buffer.size", 128).with("topology.latency.recording", "all")
            .with("topology.stream.back.pressure", "stages"));
        processes.awaitRunning(name, 2);
        StormCommand storm = new StormCommand(Installations.eyewall(), directory.resolve("client.yaml"));
        processes.awaitCommand("bolt-0 holds the spout", () -> storm.run("back-pressure", name).output().stream()
            .anyMatch(line -> line.startsWith("bolt-0 holds back spout, for ")));

        TimeUnit.SECONDS.sleep(STEADY_SECS); // Until its JVM has compiled what it runs.
        long before = residentKb(name);
        TimeUnit.SECONDS.sleep(2 * STEADY_SECS);
        long after = residentKb(name);

        assertTrue(after - before < MAY_GROW_KB, () -> before + " KB have become " + after); // 450 tuples come in a second, if not held.
        assertEquals(List.of(), WorkerFiles.logs(processes.logs(), name).stream().filter(log -> log.contains("Dropped ")).toList());
        processes.topologies().kill(name, 0);
        processes.awaitGone(name);
    }

    /** Of all instances and stream managers. */
    private long residentKb(String topology) throws IOException {
        long sum = 0;
        for (WorkerProcess container : processes.workers(topology)) {
            for (String main : List.of(ContainerChildren.INSTANCES, ContainerChildren.STREAM_MANAGERS)) {
                for (long pid : ContainerChildren.of(container, main).keySet()) {
                    sum += WorkerMemory.residentKb(pid);
                }
            }
        }
        return sum;
    }

    /** The processes of the bolt's instances, by pid. */
    private Map<Long, String> bolts() {
        Map<Long, String> found = new TreeMap<>();
        processes.workers(TOPOLOGY).forEach(container -> instances(container).forEach((pid, name) -> {
            if (name.startsWith(BOLT + "-")) {
                found.put(pid, name);
            }
        }));
        return found;
    }

    private WorkerProcess container(long instance) {
        return processes.workers(TOPOLOGY).stream().filter(container -> instances(container).containsKey(instance)).findFirst()
            .orElseThrow();
    }

    private static Map<Long, String> instances(WorkerProcess container) {
        return ContainerChildren.of(container, ContainerChildren.INSTANCES);
    }
}
