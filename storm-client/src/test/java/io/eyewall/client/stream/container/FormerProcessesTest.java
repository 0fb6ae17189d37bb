package io.eyewall.client.stream.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.instance.InstanceMain;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Small processes with the arguments of instances. Their standard input stays open until it is closed, as that of instances. */
class FormerProcessesTest {

    private static final int WAIT_SECS = 60;
    private static final int KILLED = 128 + 9;
    private static final Slot OWN = new Slot("topology", "supervisor-" + ProcessHandle.current().pid(), 6628, 6700, "worker");

    private final FormerProcesses former = new FormerProcesses(OWN, NanoClock.SYSTEM);
    private final CountDownLatch ending = new CountDownLatch(1);
    private final List<Process> started = new ArrayList<>();
    private final List<ProcessHandle> children = new ArrayList<>();

    @AfterEach
    void killAll() {
        started.forEach(Process::destroyForcibly);
        children.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void shouldWaitForAProcessThatEndsByItself() throws Exception {
        Process orphan = start(OWN.port(), "former");
        CompletableFuture<Void> waiting = awaitEnd(WAIT_SECS);
        assertFalse(waiting.isDone());

        orphan.getOutputStream().close();

        waiting.get(WAIT_SECS, TimeUnit.SECONDS);
        assertTrue(orphan.waitFor(WAIT_SECS, TimeUnit.SECONDS));
        assertEquals(1, orphan.exitValue(), "it was not killed");
    }

    @Test
    void shouldKillAProcessThatDoesNotEnd() throws Exception {
        Process stopped = start(OWN.port(), "former");
        assertEquals(0, new ProcessBuilder("kill", "-STOP", String.valueOf(stopped.pid())).start().waitFor());

        awaitEnd(0).get(WAIT_SECS, TimeUnit.SECONDS);

        assertTrue(stopped.waitFor(WAIT_SECS, TimeUnit.SECONDS));
        assertEquals(KILLED, stopped.exitValue());
    }

    @Test
    void shouldLeaveProcessesOfOtherContainersThatLiveAndItsOwnAlone() throws Exception {
        Process container = startContainer(OWN.port() + 1);
        ProcessHandle instance = awaitChild(container);
        Process own = start(OWN.port(), OWN.workerId());

        awaitEnd(0).get(WAIT_SECS, TimeUnit.SECONDS);

        assertTrue(container.isAlive());
        assertTrue(instance.isAlive());
        assertTrue(own.isAlive());
    }

    /** Nimbus has given its executors to another slot before the Supervisor has noticed that the container had died. */
    @Test
    void shouldKillAProcessThatDoesNotEndOfADeadContainerInAnotherSlot() throws Exception {
        Process container = startContainer(OWN.port() + 1);
        ProcessHandle instance = awaitChild(container);
        assertEquals(0, new ProcessBuilder("kill", "-STOP", String.valueOf(instance.pid())).start().waitFor());
        container.destroyForcibly().waitFor();
        assertTrue(instance.isAlive());

        awaitEnd(0).get(WAIT_SECS, TimeUnit.SECONDS);

        assertEquals("", commandLine(instance), "it has ended, whether or not its new parent has noticed");
    }

    private static String commandLine(ProcessHandle process) throws IOException {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cmdline"));
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    @Test
    void shouldLeaveProcessesOfAnotherSupervisorAndOfAnotherTopologyInAnotherSlotAlone() throws Exception {
        List<Process> others = List.of(start(new Slot(OWN.topologyId(), "another", OWN.supervisorPort(), OWN.port(), "former")),
            start(new Slot("another", OWN.supervisorId(), OWN.supervisorPort(), OWN.port() + 1, "former")));

        awaitEnd(0).get(WAIT_SECS, TimeUnit.SECONDS);

        assertTrue(others.stream().allMatch(Process::isAlive));
    }

    @Test
    void shouldNotWaitWhenTheContainerEnds() throws Exception {
        Process orphan = start(OWN.port(), "former");
        ending.countDown();

        awaitEnd(WAIT_SECS).get(WAIT_SECS, TimeUnit.SECONDS);

        assertTrue(orphan.isAlive());
    }

    @Test
    void shouldKnowACommandByItsSlotWhateverItsTopology() {
        String main = InstanceMain.class.getName();
        Slot before = new Slot("other", OWN.supervisorId(), 6629, OWN.port(), "former");
        List<String> command = new ArrayList<>(List.of("java", "-cp", "a:b", main));
        assertFalse(former.isFormer(command, List::of), "it has no arguments");
        command.addAll(before.arguments());

        assertTrue(former.isFormer(command, List::of));
        command.set(3, "backtype.storm.Other");
        assertFalse(former.isFormer(command, List::of));
    }

    private CompletableFuture<Void> awaitEnd(int patienceSecs) {
        return CompletableFuture.runAsync(() -> {
            try {
                former.awaitEnd(TimeUnit.SECONDS.toNanos(patienceSecs), ending);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** At the end of its input, {@code read} fails with 1. */
    private Process start(int port, String workerId) throws IOException {
        return start(new Slot(OWN.topologyId(), OWN.supervisorId(), OWN.supervisorPort(), port, workerId));
    }

    private Process start(Slot slot) throws IOException {
        return start(List.of("sh", "-c", "read line", InstanceMain.class.getName()), slot);
    }

    /** A process that has the arguments of a container, and a child. */
    private Process startContainer(int port) throws IOException {
        return start(List.of("sh", "-c", "sh -c 'read line' " + InstanceMain.class.getName() + " \"$@\"; true", "container"),
            new Slot(OWN.topologyId(), OWN.supervisorId(), OWN.supervisorPort(), port, "former"));
    }

    private Process start(List<String> command, Slot slot) throws IOException {
        Process process = new ProcessBuilder(Stream.concat(command.stream(), slot.arguments().stream()).toList()).start();
        started.add(process);
        return process;
    }

    /** Its child, once that has the command of an instance. */
    private ProcessHandle awaitChild(Process container) throws InterruptedException {
        while (true) {
            Optional<ProcessHandle> child = container.children().filter(process -> process.info().arguments().stream().flatMap(Stream::of)
                .anyMatch(InstanceMain.class.getName()::equals)).findFirst();
            if (child.isPresent()) {
                children.add(child.get());
                return child.get();
            }
            assertTrue(container.isAlive());
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
