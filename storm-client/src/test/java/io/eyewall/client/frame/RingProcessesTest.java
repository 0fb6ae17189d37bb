package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.ring.RingPlace;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes with a ring between them, and the death of either. */
class RingProcessesTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int MANY = 50_000;
    /** More than a process receives until it is killed. */
    private static final int FLOOD = 100_000;
    private static final int UNTIL_KILLED = 20_000;
    private static final int ROUNDS = 2;

    private final List<Process> processes = new ArrayList<>();
    /** What the processes have logged until they said something. */
    private final List<String> logged = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldBringEachNumberOnceAndAllWhenTheSenderEnds() throws Exception {
        try (Numbers receiver = Numbers.receiver(0)) {
            Process sender = start("send", receiver.port(), MANY);
            assertEquals("ring", line(sender));
            String[] sent = line(sender).split(" ", 2);
            awaitLast(receiver, Integer.parseInt(sent[0]) - 1);
            assertEquals(0, receiver.first());
            assertNull(receiver.defect());
            assertNothingIsLeft(sender);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"size=64k", "ro"})
    void shouldGoOverTheNetworkAndWarnOnceWhenSharedMemoryIsFullOrCannotBeWritten(String options) throws Exception {
        assertGoesOverTheNetwork(RingPlace.SHARED_MEMORY, command -> withOtherMemory(options, command));
    }

    @Test
    void shouldGoOverTheNetworkAndWarnOnceWhenThereIsNoSharedMemory(@TempDir Path folder) throws Exception {
        assertGoesOverTheNetwork(folder.resolve("none"), command -> command);
    }

    /** Also on a host where no test may mount anything: no process of this user can make a folder there. */
    @Test
    void shouldGoOverTheNetworkAndWarnOnceWhenNoFolderCanBeMade() throws Exception {
        assertGoesOverTheNetwork(Path.of("/proc"), command -> command);
    }

    /** Has a worker that makes rings in that folder send, by a command that is made of another one. */
    private void assertGoesOverTheNetwork(Path memory, ThrowingUnaryOperator wrapped) throws Exception {
        try (Numbers receiver = Numbers.receiver(0)) {
            Process sender = start(wrapped.apply(command("network", receiver.port(), MANY, memory)));
            String[] sent = line(sender).split(" ", 2);
            assertEquals("false", sent[1]);
            assertEquals(1, logged.stream().filter(line -> line.contains("There is no shared memory for frames in " + memory + ". They go"
                + " over the network. Make it larger, or set topology.transfer.shared.memory to off.")).count());
            awaitLast(receiver, Integer.parseInt(sent[0]) - 1);
            assertEquals(0, receiver.first());
            assertNull(receiver.defect());
        }
    }

    /** As between two containers that share the network and no memory. */
    @Test
    void shouldGoOverTheNetworkAndWithdrawItsOfferWhenTheOtherWorkerSeesOtherSharedMemory() throws Exception {
        Process receiver = start(withOtherMemory("size=16m", command("receive", 0)));
        try (Numbers sender = Numbers.sender(Integer.parseInt(line(receiver)))) {
            assertTimeoutPreemptively(DEADLINE, () -> {
                sender.awaitConnection();
                while (places(ProcessHandle.current().pid()).isEmpty()) { // Until it has offered a ring.
                    sender.send(1);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
                sender.send(MANY);
                while (!places(ProcessHandle.current().pid()).isEmpty()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                }
                sender.send(1);
            });
            assertFalse(sender.isInRing());
            String[] got = received(receiver, sender.sent() - 1);
            assertEquals("null", got[2]);
            assertEquals(List.of(), places(ProcessHandle.current().pid()), "it offers no other one");
        }
    }

    @Test
    void shouldBringEachNumberOnceUntilTheSenderIsKilled() throws Exception {
        try (Numbers receiver = Numbers.receiver(0)) {
            for (int round = 0; round < ROUNDS; round++) {
                receiver.expectAnew();
                Process sender = start("send", receiver.port(), 0);
                assertEquals("ring", line(sender));
                awaitLast(receiver, UNTIL_KILLED);
                kill(sender);
                assertEquals(0, receiver.first());
                assertNull(receiver.defect());
                assertNothingIsLeft(sender);
                awaitQuiet(receiver);
            }
        }
    }

    @Test
    void shouldConnectAnewWhenTheReceiverIsKilled() throws Exception {
        Process receiver = start("receive", 0);
        int port = Integer.parseInt(line(receiver));
        try (Numbers sender = Numbers.sender(port)) {
            for (int round = 0; round < ROUNDS; round++) {
                assertTimeoutPreemptively(DEADLINE, sender::awaitRing);
                assertTimeoutPreemptively(DEADLINE, () -> sender.send(MANY));
                assertTrue(sender.isInRing());
                String[] got = received(receiver, sender.sent() - 1);
                assertEquals("null", got[2]);
                Thread flood = new Thread(() -> sender.send(FLOOD));
                flood.start();
                received(receiver, sender.sent() - 1);
                kill(receiver);
                assertTimeoutPreemptively(DEADLINE, () -> flood.join()); // It does not wait for a reader that is gone.
                assertNothingIsLeft(receiver);
                receiver = start("receive", port);
                assertEquals(port, Integer.parseInt(line(receiver)));
                assertTimeoutPreemptively(DEADLINE, () -> {
                    while (sender.isInRing()) {
                        sender.send(1);
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                    }
                });
            }
            assertEquals(List.of(), places(ProcessHandle.current().pid()));
        }
    }

    private interface ThrowingUnaryOperator {
        List<String> apply(List<String> command) throws Exception;
    }

    private static List<String> command(Object... arguments) {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
            "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
            Numbers.class.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return command;
    }

    /** The command, in a namespace of its own with that in the place of the shared memory of this host. */
    private static List<String> withOtherMemory(String options, List<String> command) throws Exception {
        assumeTrue(new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0, "needs the right to make a namespace");
        List<String> all = new ArrayList<>(List.of("unshare", "-m", "sh", "-c",
            "mount -t tmpfs -o " + options + " tmpfs /dev/shm && exec \"$@\"", "sh"));
        all.addAll(command);
        return all;
    }

    private Process start(Object... arguments) throws IOException {
        return start(command(arguments));
    }

    private Process start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        processes.add(process);
        return process;
    }

    private String line(Process process) {
        return assertTimeoutPreemptively(DEADLINE, () -> lineNow(process));
    }

    /** What a process says next. What it logs goes to this process's output. */
    private String lineNow(Process process) throws IOException {
        for (String line = process.inputReader().readLine(); line != null; line = process.inputReader().readLine()) {
            if (line.startsWith(Numbers.SAYS)) {
                return line.substring(Numbers.SAYS.length());
            }
            System.out.println(line);
            logged.add(line);
        }
        throw new AssertionError("The process has ended.");
    }

    /** What a receiver has got, at least up to {@code number}. */
    private String[] received(Process receiver, int number) {
        return assertTimeoutPreemptively(DEADLINE, () -> {
            String[] got = receivedNow(receiver);
            while (Integer.parseInt(got[1]) < number && got[2].equals("null")) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                got = receivedNow(receiver);
            }
            return got;
        });
    }

    private String[] receivedNow(Process receiver) throws IOException {
        receiver.outputWriter().write("\n");
        receiver.outputWriter().flush();
        return lineNow(receiver).split(" ", 3);
    }

    private static void awaitLast(Numbers receiver, int number) {
        assertTimeoutPreemptively(DEADLINE, () -> {
            while (receiver.last() < number || receiver.first() < 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
    }

    /** Waits until what a sender has left in its ring has arrived. */
    private static void awaitQuiet(Numbers receiver) {
        int last;
        do {
            last = receiver.last();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        } while (receiver.last() != last);
        assertNull(receiver.defect());
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly().waitFor(); // SIGKILL.
    }

    private static void assertNothingIsLeft(Process process) throws IOException {
        assertEquals(List.of(), places(process.pid()));
    }

    /** What a process has in shared memory under a name. */
    private static List<Path> places(long process) throws IOException {
        try (Stream<Path> all = Files.list(RingPlace.SHARED_MEMORY)) {
            return all.filter(path -> path.toString().contains("-" + process + "-")).toList();
        }
    }
}
