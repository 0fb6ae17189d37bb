package io.eyewall.transport.fabric.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.transport.fabric.binding.EndpointType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnrulyProviderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldKeepOrderAndLoseNothingWhenTheProviderRefusesAndReorders(long seed) throws Exception {
        LinkConfiguration configuration = new LinkConfiguration(
            EndpointType.TAGGED, "fake", null, 1_024, 4, 3, IdleMode.BACK_OFF, false, 30_000);
        AtomicReference<FakeDriver> driver = new AtomicReference<>();
        RecordingListener atServer = new RecordingListener();
        RecordingListener atClient = new RecordingListener();
        LinkSecret secret = new LinkSecret("test", "");
        try (LinkGroup group = LinkGroup.open("unruly", configuration, NanoClock.SYSTEM, (owner, contexts) -> {
            driver.set(new FakeDriver(owner, contexts, seed));
            return driver.get();
        })) {
            group.listen(1, secret, atServer);
            Link link = group.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), secret, atClient);
            await().atMost(PATIENCE).until(link::isOpen);
            Random random = new Random(seed);
            byte[][] sent = new byte[2_000][];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = new byte[random.nextInt(10) == 0 ? random.nextInt(10_000) : random.nextInt(200)];
                random.nextBytes(sent[i]);
                assertTrue(link.send(i, sent[i]), () -> "closed: " + atClient.closed + atServer.closed);
                if (random.nextInt(5) == 0) {
                    link.flush();
                }
            }
            assertTrue(link.close(PATIENCE.toMillis()), () -> "closed: " + atClient.closed + atServer.closed);
            assertEquals(sent.length, atServer.messages.size());
            for (int i = 0; i < sent.length; i++) {
                assertEquals(i, atServer.addresses.get(i));
                assertArrayEquals(sent[i], atServer.messages.get(i), "message " + i);
            }
        }
        assertTrue(driver.get().refusals() > 100, driver.get().refusals() + " refusals");
        assertTrue(driver.get().reordered() > 0, driver.get().reordered() + " rounds out of order");
    }
}
