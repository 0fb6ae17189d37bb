package io.eyewall.client.stream.instance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.eyewall.client.seam.DrainableTransport.Drain;
import io.eyewall.client.stream.manager.ServedContainer;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.slot.ParentContainer.Leave;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** Two instances of a loop of bolts, with their own threads, at the socket of a stream manager. */
class InstancesInLoopTest {

    private static final int ONE = 2;
    private static final int OTHER = 4;
    private static final int ROUNDS = 500;
    private static final int WAIT_SECS = 120;
    private static final TestComponents COMPONENTS = new TestComponents(task -> task % 2 == 0 ? "bolt" : "sink" + task, 1, "none",
        Map.of("bolt", Set.of("bolt")));

    private final AtomicInteger executed = new AtomicInteger();
    private ServedContainer container;
    private Bolt one;
    private Bolt other;

    @AfterEach
    void close() throws InterruptedException {
        one.close();
        other.close();
        container.close();
        assertFalse(container.failed, "the log has the exception");
    }

    /** Each message leads to the next one, so the instances have nothing to do again and again before the loop is empty. */
    @RepeatedTest(5)
    void shouldExecuteAllThatIsInALoopBeforeTheyLeave(@TempDir Path directory) throws Exception {
        container = ServedContainer.alone(directory, COMPONENTS);
        one = new Bolt(ONE, OTHER, directory);
        other = new Bolt(OTHER, ONE, directory);
        one.awaitOther();
        other.awaitOther();

        one.send(ROUNDS);
        one.send(ROUNDS);
        CompletableFuture<Void> left = CompletableFuture.allOf(one.leave(), other.leave());

        left.get(WAIT_SECS, TimeUnit.SECONDS);
        assertEquals(2 * ROUNDS, executed.get());
    }

    /** Sends each message back with one round less. */
    private final class Bolt implements Drain {

        private final int next;
        private final StreamTransport transport;
        private final ConnectionWithStatus connection;
        private final ExecutorService executor = Executors.newSingleThreadExecutor();
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();

        Bolt(int task, int next, Path directory) throws Exception {
            this.next = next;
            transport = new StreamTransport(container.socket, new Instance(task, "bolt", List.of(List.of((long) task, (long) task))),
                ServedContainer.SECRET, Files.createDirectory(directory.resolve("instance-" + task)), false);
            transport.prepare(Utils.readDefaultConfig());
            transport.bind("topology", 0, messages -> messages.forEach(this::take),
                () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>()));
            transport.isAssigned(Set.of(ONE, OTHER), Set.of(), true);
            transport.drainedBy(this);
            connection = (ConnectionWithStatus) transport.connect("topology", "host", InstancePlan.PORT_OFFSET + next,
                Stream.generate(AtomicBoolean::new).limit(OTHER + 1).toArray(AtomicBoolean[]::new));
        }

        private void take(TaskMessage message) {
            begun.incrementAndGet();
            executor.execute(() -> {
                executed.incrementAndGet();
                int rounds = ByteBuffer.wrap(message.message()).getInt();
                if (rounds > 1) {
                    send(rounds - 1);
                }
                ended.incrementAndGet();
            });
        }

        void send(int rounds) {
            connection.send(List.of(new TaskMessage(next, ByteBuffer.allocate(Integer.BYTES).putInt(rounds).array())).iterator());
        }

        void awaitOther() {
            Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> connection.status() == ConnectionWithStatus.Status.Ready);
        }

        CompletableFuture<Void> leave() {
            return CompletableFuture.runAsync(() -> {
                try {
                    transport.leave(() -> Leave.BEHIND_ALL);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }

        void close() {
            executor.shutdownNow();
            transport.term();
        }

        @Override
        public void stopSpouts(BooleanSupplier mayWait) {
            // There are none.
        }

        @Override
        public boolean areAtRest() {
            int before = ended.get();
            return begun.get() == before;
        }

        @Override
        public int end() {
            Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(this::areAtRest);
            return 0;
        }
    }
}
