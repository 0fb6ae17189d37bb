package io.eyewall.transport.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.junit.jupiter.api.Test;

class FeedbackMessagesTest {

    private final AtomicBoolean[] flags = Stream.generate(AtomicBoolean::new).limit(4).toArray(AtomicBoolean[]::new);

    @Test
    void shouldDecodeTheLoadsThatWereEncoded() {
        Map<Integer, Double> loads = Map.of(1, 0.5, 70_000, 1.0);
        assertEquals(loads, FeedbackMessages.decodeLoads(message(FeedbackMessages.encodeLoads(loads))));
    }

    @Test
    void shouldSetAndClearTheFlagsOfKnownTasksOnly() {
        flags[2].set(true);
        byte[] status = FeedbackMessages.encode(new BackPressureStatus("worker", List.of(1, 99), List.of(2, -1)));
        FeedbackMessages.apply(message(status), flags);
        assertTrue(flags[1].get());
        assertFalse(flags[2].get());
    }

    @Test
    void shouldAcceptAStatusWithoutTasks() {
        FeedbackMessages.apply(message(FeedbackMessages.encode(new BackPressureStatus("worker", null, null))), flags);
        assertTrue(Arrays.stream(flags).noneMatch(AtomicBoolean::get));
    }

    @Test
    void shouldRefuseTruncatedMessages() {
        byte[] loads = FeedbackMessages.encodeLoads(Map.of(1, 0.5));
        assertThrows(IllegalArgumentException.class, () -> FeedbackMessages.decodeLoads(message(loads, 0, loads.length - 1)));
        byte[] status = FeedbackMessages.encode(new BackPressureStatus("worker", List.of(1), List.of()));
        assertThrows(IllegalArgumentException.class, () -> FeedbackMessages.apply(message(status, 0, status.length - 1), flags));
    }

    private static ByteBuffer message(byte[] bytes) {
        return message(bytes, 0, bytes.length);
    }

    private static ByteBuffer message(byte[] bytes, int from, int length) {
        return ByteBuffer.wrap(bytes, from, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
