package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.DefaultEventLoop;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LoopGuardTest {

    private static final int WAIT_SECS = 60;

    private final List<String> events = new ArrayList<>();
    private final LoopGuard guard = new LoopGuard(() -> events.add("ends"));

    @Test
    void shouldEndTheProcessAfterAnExceptionOnly() {
        guard.guard(() -> events.add("works")).run();
        assertEquals(List.of("works"), events);

        guard.guard(() -> {
            throw new IllegalStateException("for the test");
        }).run();
        assertEquals(List.of("works", "ends"), events);

        guard.guard(() -> {
            throw new AssertionError("for the test");
        }).run();
        assertEquals(List.of("works", "ends", "ends"), events);
    }

    /** Otherwise the rest of the batch would be lost, and nobody would count it. */
    @Test
    void shouldEndTheProcessWhenWhatOtherContainersSendCannotBeTaken() throws Exception {
        DefaultEventLoop loop = new DefaultEventLoop();
        CountDownLatch ended = new CountDownLatch(1);
        Arrivals arrivals = new Arrivals(loop, messages -> {
            throw new IllegalStateException("for the test");
        }, new LoopGuard(ended::countDown));

        arrivals.add(List.of(new TaskMessage(1, new byte[3])));

        assertTrue(ended.await(WAIT_SECS, TimeUnit.SECONDS));
        Future<?> unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
}
