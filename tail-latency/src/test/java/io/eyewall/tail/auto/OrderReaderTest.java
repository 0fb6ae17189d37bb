package io.eyewall.tail.auto;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.tail.TechniqueOrders;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.cluster.IStateStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderReaderTest {

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final String KEY = TechniqueOrders.ADAPTIVE_TIMEOUT;

    private volatile byte[] node;
    private volatile boolean down;
    private volatile CountDownLatch stall = new CountDownLatch(0);
    /** The thread that reads while {@link #stall} is closed; null before it does. */
    private volatile Thread stalled;
    private final AtomicInteger reads = new AtomicInteger();
    private final TechniqueSwitch control = TestSwitch.off();
    private final List<Set<String>> obeyed = new CopyOnWriteArrayList<>();
    private final OrderReader reader = new OrderReader(storage(), "words-1", 1, Set.of(KEY), keys -> {
        control.order(keys.contains(KEY));
        obeyed.add(keys);
    });

    @BeforeEach
    void start() {
        reader.start();
    }

    @AfterEach
    void close() {
        reader.close();
        stall.countDown();
    }

    @Test
    void shouldSwitchEverythingOffWhereThereIsNoNode() {
        awaitMoreReads();
        assertFalse(control.isOn());

        order(KEY);
        await().atMost(DEADLINE).until(control::isOn);
        node = null;
        await().atMost(DEADLINE).until(() -> !control.isOn());
        assertEquals(2, control.switches());
    }

    @Test
    void shouldKeepTheLastOrdersWhileZooKeeperFailsOrDoesNotAnswer() {
        order(KEY);
        await().atMost(DEADLINE).until(control::isOn);

        down = true;
        node = null;
        awaitMoreReads();
        assertTrue(control.isOn());

        stall = new CountDownLatch(1);
        awaitMoreReads(1);
        down = false;
        assertTrue(control.isOn(), "the read that goes on has no answer yet");
        stall.countDown();
        await().atMost(DEADLINE).until(() -> !control.isOn());
    }

    @Test
    void shouldIgnoreGarbage() {
        node = new byte[] {(byte) 0xff, 0, '\n', 'x', '\r', '\n', '\n'};
        awaitMoreReads();
        assertFalse(control.isOn());

        node = ("topology.of.tomorrow\n " + KEY + "\r\n\n").getBytes(StandardCharsets.UTF_8);
        await().atMost(DEADLINE).until(control::isOn);
        assertEquals(Set.of(KEY), obeyed.get(obeyed.size() - 1));
    }

    @Test
    void shouldObeyNothingAfterItsEnd() throws InterruptedException {
        stall = new CountDownLatch(1);
        await().atMost(DEADLINE).until(() -> stalled != null);
        order(KEY);
        reader.close();
        stall.countDown();

        stalled.join(DEADLINE.toMillis());
        assertFalse(stalled.isAlive(), "the read has returned");
        assertFalse(control.isOn());
    }

    private void order(String... keys) {
        node = TechniqueOrders.encode(Set.of(keys));
    }

    private void awaitMoreReads() {
        awaitMoreReads(3);
    }

    private void awaitMoreReads(int more) {
        int before = reads.get();
        await().atMost(DEADLINE).until(() -> reads.get() >= before + more);
    }

    private IStateStorage storage() {
        return (IStateStorage) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {IStateStorage.class},
            (proxy, method, arguments) -> {
                assertEquals("get_data", method.getName());
                assertEquals("/eyewall-techniques/words-1", arguments[0]);
                reads.incrementAndGet();
                CountDownLatch closed = stall;
                if (closed.getCount() > 0) {
                    stalled = Thread.currentThread();
                    closed.await();
                }
                if (down) {
                    throw new IllegalStateException("ZooKeeper is down");
                }
                return node;
            });
    }
}
