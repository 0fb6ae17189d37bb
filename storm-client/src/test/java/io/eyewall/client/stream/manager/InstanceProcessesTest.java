package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.seam.NoTransport;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.StreamWire;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An instance in a process of its own, which is killed. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class InstanceProcessesTest {

    private static final int SPOUT = ServedContainer.SPOUT;
    private static final int SOURCE = 4;
    private static final int SINK = 5;
    private static final int LAST = 9;
    private static final int MANY = 2_000;
    private static final int ROUNDS = 2;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private final List<Process> processes = new ArrayList<>();
    private ServedContainer container;
    private ConnectedInstance sink;
    private ConnectedInstance spout;

    @BeforeEach
    void listen(@TempDir Path directory) throws Exception {
        container = new ServedContainer(directory, new NoTransport(), new Backlog());
        sink = new ConnectedInstance(loops, container.socket, introduction(SINK));
        spout = new ConnectedInstance(loops, container.socket, introduction(SPOUT));
    }

    private static Introduction introduction(int instance) {
        return new Introduction(instance, Set.of(instance), ServedContainer.SECRET, Optional.of(RingPlace.SHARED_MEMORY));
    }

    @AfterEach
    void close() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        container.close();
        Future<?> unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    @Test
    void shouldPassOnWhatWasSentUntilItIsKilled() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Process source = start(command());
            assertEquals("true", line(source));
            assertKilledInOrder(source);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"size=64k", "ro"})
    void shouldGoOverTheSocketWhenSharedMemoryIsFullOrCannotBeWritten(String memory) throws Exception {
        assumeTrue(new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0, "needs the right to make a namespace");
        List<String> all = new ArrayList<>(List.of("unshare", "-m", "sh", "-c",
            "mount -t tmpfs -o " + memory + " tmpfs /dev/shm && exec \"$@\"", "sh"));
        all.addAll(command());
        Process source = start(all);
        assertEquals("false", line(source));
        assertKilledInOrder(source);
    }

    /** Kills it in the middle, and takes what has come from it: all numbers up to some, each once. */
    private void assertKilledInOrder(Process source) throws Exception {
        for (int number = 0; number < MANY; number++) {
            assertEquals(number, number(StreamWire.tuples(sink.awaitTuples())));
        }
        source.destroyForcibly().waitFor(); // SIGKILL.
        spout.await(status -> status.tasks().contains(SOURCE));
        spout.await(status -> !status.tasks().contains(SOURCE));
        spout.send(StreamWire.message(spout.channel.alloc(), SINK, new TaskMessage(LAST, new byte[1])));
        TaskMessage next = StreamWire.tuples(sink.awaitTuples());
        for (int number = MANY; next.task() != LAST; number++) {
            assertEquals(number, number(next));
            next = StreamWire.tuples(sink.awaitTuples());
        }
        assertEquals(0, container.containers.takeDropped() + container.containers.takeRefused());
        try (Stream<Path> left = Files.list(RingPlace.SHARED_MEMORY)) {
            assertEquals(List.of(), left.filter(path -> path.toString().contains("-" + source.pid() + "-")).toList());
        }
    }

    private static int number(TaskMessage message) {
        return ByteBuffer.wrap(message.message()).getInt();
    }

    private List<String> command() {
        return List.of(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java", "-Xmx128m", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), FloodingInstance.class.getName(),
            container.socket.toString(), String.valueOf(SOURCE), String.valueOf(SINK));
    }

    private Process start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        processes.add(process);
        return process;
    }

    /** What a process says. What it logs goes to this process's output. */
    private static String line(Process process) throws IOException {
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        while (line != null && !line.startsWith(FloodingInstance.SAYS)) {
            System.out.println(line);
            line = output.readLine();
        }
        assertNotNull(line, "the process has ended");
        assertTrue(process.isAlive());
        return line.substring(FloodingInstance.SAYS.length());
    }
}
