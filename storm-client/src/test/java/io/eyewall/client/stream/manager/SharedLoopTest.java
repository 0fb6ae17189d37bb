package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SharedLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.shade.io.netty.channel.EventLoop;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two containers that send to each other over Storm's Netty transport, each with one thread for everything. */
class SharedLoopTest {

    private static final int WAIT_SECS = 120;
    private static final int MESSAGES = 20_000;
    private static final int AT_ONCE = 50;
    private static final int BATCH_BYTES = 2_000;

    private final Map<String, Object> conf = Utils.readDefaultConfig();
    private final List<Side> sides = new ArrayList<>();
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    /** One container. All of its fields are for its loop, except where a test waits for the loop. */
    private final class Side {
        private final SharedLoop shared = new SharedLoop("side");
        private final EventLoop loop = shared.next();
        private final Context context = new Context();
        private final IConnection server;
        private final List<Integer> received = new ArrayList<>();
        private final AtomicBoolean isElsewhere = new AtomicBoolean();
        private ContainerSender sender;

        Side() {
            shared.shareWith(() -> {
                context.prepare(conf, new StormMetricRegistry());
                return context;
            });
            server = shared.shareWith(() -> context.bind("topology", 0, this::receive,
                () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>())));
            sides.add(this);
        }

        private void receive(List<TaskMessage> messages) {
            isElsewhere.compareAndSet(false, !loop.inEventLoop());
            messages.stream().filter(message -> !ContainerSender.isAttempt(message))
                .forEach(message -> received.add(ByteBuffer.wrap(message.message()).getInt()));
        }

        void connect(Side other) {
            IConnection connection = context.connect("topology", "127.0.0.1", other.server.getPort(), new AtomicBoolean[] {
                new AtomicBoolean()});
            sender = new ContainerSenders(loop, BATCH_BYTES, new LoopGuard(() -> hasFailed.set(true))).over("other", connection);
            Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() ->
                ((ConnectionWithStatus) connection).status() == ConnectionWithStatus.Status.Ready);
        }

        /** Sends all numbers, some of them in each task of the loop, with bytes behind them. */
        void sendAll(Random random, int from) {
            int until = Math.min(MESSAGES, from + 1 + random.nextInt(AT_ONCE));
            for (int number = from; number < until; number++) {
                byte[] bytes = new byte[Integer.BYTES + random.nextInt(number % AT_ONCE == 0 ? 2 * BATCH_BYTES : 100)];
                ByteBuffer.wrap(bytes).putInt(number);
                sender.add(new TaskMessage(1, bytes));
            }
            sender.flush();
            if (until < MESSAGES) {
                loop.execute(() -> sendAll(random, until));
            }
        }

        List<Integer> received() throws Exception {
            return loop.submit(() -> List.copyOf(received)).get();
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        for (Side side : sides) {
            if (side.sender != null) {
                Future<?> closed = side.loop.submit(side.sender::close).sync();
                assertTrue(closed.isSuccess());
            }
            side.server.close();
            side.context.term();
            assertFalse(side.loop.isShuttingDown(), "a transport leaves the loop to others");
            Future<?> unused = side.shared.end().sync();
            assertTrue(side.loop.isShutdown());
        }
    }

    /** Connections hold little, so that senders often find no space. A loop that waited for it would stand still. */
    @Test
    void shouldExchangeAllMessagesInOrderOnOneThreadEach() throws Exception {
        conf.put(Config.STORM_NETTY_MESSAGE_BATCH_SIZE, BATCH_BYTES);
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_LOW_WATERMARK, BATCH_BYTES);
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_HIGH_WATERMARK, 2 * BATCH_BYTES);
        Side one = new Side();
        Side other = new Side();
        one.connect(other);
        other.connect(one);

        one.loop.execute(() -> one.sendAll(new Random(1), 0));
        other.loop.execute(() -> other.sendAll(new Random(2), 0));

        List<Integer> all = IntStream.range(0, MESSAGES).boxed().toList();
        for (Side side : sides) {
            Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> side.received().size() >= MESSAGES);
        }
        for (Side side : sides) {
            Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).untilAsserted(() -> assertEquals(all, side.received()));
            assertFalse(side.isElsewhere.get(), "messages came on another thread");
            assertEquals(0, side.loop.submit(side.sender::waitingBytes).get());
        }
        assertFalse(hasFailed.get());
    }

    @Test
    void shouldGiveOtherTransportsThreadsOfTheirOwn() {
        Side side = new Side();
        Context alone = new Context();
        alone.prepare(conf, new StormMetricRegistry());
        AtomicBoolean isOnLoop = new AtomicBoolean();
        AtomicBoolean hasCome = new AtomicBoolean();
        IConnection server = alone.bind("topology", 0, messages -> {
            isOnLoop.set(side.loop.inEventLoop());
            hasCome.set(true);
        }, () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>()));
        IConnection connection = side.context.connect("topology", "127.0.0.1", server.getPort(), new AtomicBoolean[0]);
        side.sender = new ContainerSenders(side.loop, BATCH_BYTES, new LoopGuard(() -> hasFailed.set(true))).over("alone", connection);
        side.loop.execute(() -> {
            side.sender.add(new TaskMessage(1, new byte[2]));
            side.sender.flush();
        });
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(hasCome::get);
        assertFalse(isOnLoop.get());
        server.close();
        alone.term();
    }
}
