package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.ClientChannel;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.DefaultEventLoop;
import org.apache.storm.shade.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopSenderTest {

    private static final int WAIT_SECS = 60;
    private static final int BATCH_BYTES = 1_000;
    private static final int MANY = 20_000;

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final OverNetty connection = new OverNetty();
    private volatile boolean hasEnded;
    private final ContainerSender sender =
        new ContainerSenders(loop, BATCH_BYTES, new LoopGuard(() -> hasEnded = true)).over("other", connection);

    /** A connection like Storm's over Netty. It would keep the loop waiting if it had no space for a batch. */
    private static final class OverNetty extends CollectingConnection implements ClientChannel {

        private volatile boolean isWritable = true;
        private volatile boolean isActive = true;
        /** How many batches there is space for. */
        private final AtomicInteger space = new AtomicInteger(Integer.MAX_VALUE);
        private final AtomicInteger batches = new AtomicInteger();
        private volatile boolean hasWaited;
        private volatile boolean fails;
        private final AtomicReference<Channel> channel = new AtomicReference<>(new EmbeddedChannel() {
            @Override
            public boolean isWritable() {
                return isWritable;
            }

            @Override
            public boolean isActive() {
                return isActive;
            }
        });

        @Override
        public AtomicReference<Channel> getChannelRef() {
            return channel;
        }

        @Override
        public void send(Iterator<TaskMessage> messages) {
            if (fails) {
                throw new IllegalStateException("for the test");
            }
            hasWaited |= isActive && !isWritable;
            int bytes = 0;
            while (messages.hasNext()) {
                hasWaited |= bytes >= BATCH_BYTES; // Storm makes a batch of those before, and another one of this.
                TaskMessage message = messages.next();
                bytes += message.message().length;
                super.send(List.of(message).iterator());
            }
            batches.incrementAndGet();
            if (space.decrementAndGet() == 0) {
                isWritable = false;
            }
        }

        private List<Integer> tasks() {
            return sent.stream().map(TaskMessage::task).toList();
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        onLoop(sender::close);
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> connection.status == ConnectionWithStatus.Status.Closed);
        assertFalse(connection.hasWaited, "the loop has waited for space");
        Future<?> unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    private void onLoop(Runnable task) throws InterruptedException {
        Future<?> unused = loop.submit(task).sync();
    }

    private void send(TaskMessage... messages) throws InterruptedException {
        onLoop(() -> {
            for (TaskMessage message : messages) {
                sender.add(message);
            }
            sender.flush();
        });
    }

    private static TaskMessage message(int task, int bytes) {
        return new TaskMessage(task, new byte[bytes]);
    }

    private void awaitAllSent() {
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> loop.submit(sender::waitingBytes).get() == 0);
    }

    @Test
    void shouldSendABatchAtOnce() throws Exception {
        send(message(1, 2), message(2, 2));
        assertEquals(List.of(1, 2), connection.tasks());
        assertEquals(1, connection.batches.get());
        assertEquals(0, loop.submit(sender::waitingBytes).get());
    }

    @Test
    void shouldSendNoBatchForWhichThereIsNoSpace() throws Exception {
        connection.space.set(2);
        send(message(1, 2 * BATCH_BYTES), message(2, BATCH_BYTES / 2), message(3, BATCH_BYTES / 2), message(4, 2));
        assertEquals(List.of(1, 2), connection.tasks());
        send(message(5, 2));
        assertEquals(List.of(1, 2), connection.tasks());
        assertFalse(loop.submit(sender::isConnecting).get());

        connection.space.set(Integer.MAX_VALUE);
        connection.isWritable = true;
        awaitAllSent();
        assertEquals(List.of(1, 2, 3, 4, 5), connection.tasks());
    }

    @Test
    void shouldKeepMessagesWhileThereIsNoConnectionAndTryToConnect() throws Exception {
        connection.status = ConnectionWithStatus.Status.Connecting;
        connection.isActive = false;
        connection.isWritable = false;
        send(message(1, 2));
        assertTrue(loop.submit(sender::isConnecting).get());
        TaskMessage attempt = connection.dropped.poll(WAIT_SECS, TimeUnit.SECONDS);
        assertTrue(ContainerSender.isAttempt(attempt));
        connection.isActive = true;
        connection.isWritable = true;
        connection.status = ConnectionWithStatus.Status.Ready;
        awaitAllSent();
        assertEquals(List.of(1), connection.tasks());
    }

    /** A connection that is not authenticated yet takes nothing, and needs no attempt. */
    @Test
    void shouldNotSendBeforeTheConnectionIsReady() throws Exception {
        connection.status = ConnectionWithStatus.Status.Connecting;
        send(message(1, 2));
        onLoop(() -> { });
        TimeUnit.MILLISECONDS.sleep(5 * ContainerSender.LOOK_MS);
        assertEquals(List.of(), connection.tasks());
        assertEquals(List.of(), List.copyOf(connection.dropped));
        connection.status = ConnectionWithStatus.Status.Ready;
        awaitAllSent();
        assertEquals(List.of(1), connection.tasks());
    }

    @Test
    void shouldEndTheProcessWhenItCannotSend() throws Exception {
        connection.fails = true;
        send(message(1, 2));
        assertTrue(hasEnded);
    }

    @Test
    void shouldSayHowManyMessagesItDrops() throws Exception {
        connection.isWritable = false;
        send(message(1, 2), message(2, 2));
        assertEquals(2, loop.submit(sender::close).get());
    }

    /** A connection that often has no space, and messages of all lengths. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepTheOrder(long seed) throws Exception {
        Random random = new Random(seed);
        for (int task = 0; task < MANY; task++) {
            TaskMessage message = message(task, random.nextInt(random.nextInt(20) == 0 ? 2 * BATCH_BYTES : 20));
            onLoop(() -> sender.add(message));
            if (random.nextInt(3) == 0) {
                connection.space.set(1 + random.nextInt(3));
                connection.isWritable = true;
                onLoop(sender::flush);
            }
        }
        connection.space.set(Integer.MAX_VALUE);
        connection.isWritable = true;
        onLoop(sender::flush);
        awaitAllSent();
        assertEquals(IntStream.range(0, MANY).boxed().toList(), connection.tasks());
    }
}
