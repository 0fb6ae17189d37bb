package io.eyewall.client.stream.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.instance.InstanceMain;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    @AfterEach
    void killAll() {
        started.forEach(Process::destroyForcibly);
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
    void shouldLeaveProcessesOfOtherSlotsAndItsOwnAlone() throws Exception {
        List<Process> others = List.of(start(OWN.port() + 1, "former"), start(OWN.port(), OWN.workerId()));

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
        assertFalse(former.isFormer(command), "it has no arguments");
        command.addAll(before.arguments());

        assertTrue(former.isFormer(command));
        command.set(3, "backtype.storm.Other");
        assertFalse(former.isFormer(command));
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
        List<String> command = new ArrayList<>(List.of("sh", "-c", "read line", InstanceMain.class.getName()));
        command.addAll(new Slot(OWN.topologyId(), OWN.supervisorId(), OWN.supervisorPort(), port, workerId).arguments());
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        return process;
    }
}
