package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.storm.Constants;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.junit.jupiter.api.Test;

/** Workers of one process, two of which send to a third, whose tasks are 1 and 2. */
class LocalTransportTest {

    private static final int SYSTEM = Math.toIntExact(Constants.SYSTEM_TASK_ID);
    private static final int PORT = 6702;

    private final LocalTransport transport = new LocalTransport();
    private final AtomicBoolean[] first = flags();
    private final AtomicBoolean[] second = flags();

    @Test
    void shouldTellThoseThatSendToAWorkerWhichTasksAreFull() {
        IConnection receiver = bind(report(List.of(), List.of(SYSTEM, 1, 2)));
        transport.connect("topology", "here", PORT, first);
        transport.connect("topology", "here", PORT + 1, second);

        receiver.sendBackPressureStatus(report(List.of(SYSTEM, 1), List.of(2)));
        assertEquals(List.of(1), held(first));
        assertEquals(List.of(), held(second), "it sends to another worker");

        receiver.sendBackPressureStatus(report(List.of(2), List.of(SYSTEM, 1)));
        assertEquals(List.of(2), held(first));
    }

    @Test
    void shouldTellNothingToAnotherTopology() {
        IConnection receiver = bind(report(List.of(), List.of(1, 2)));
        transport.connect("other", "here", PORT, first);

        receiver.sendBackPressureStatus(report(List.of(1, 2), List.of()));
        assertEquals(List.of(), held(first));
    }

    @Test
    void shouldTellAWorkerThatConnectsWhatIsFull() {
        transport.connect("topology", "here", PORT, first);
        bind(report(List.of(1), List.of(2)));
        transport.connect("topology", "here", PORT, second);

        assertEquals(List.of(1), held(first), "connected before there was a worker");
        assertEquals(List.of(1), held(second));
    }

    @Test
    void shouldReleaseSendersWhenANewWorkerTakesThePlace() {
        bind(report(List.of(1, 2), List.of()));
        transport.connect("topology", "here", PORT, first);

        bind(report(List.of(), List.of(1, 2)));
        assertEquals(List.of(), held(first));
    }

    private IConnection bind(BackPressureStatus firstReport) {
        return transport.bind("topology", PORT, batch -> { }, () -> firstReport);
    }

    private static BackPressureStatus report(List<Integer> full, List<Integer> others) {
        return new BackPressureStatus("worker", full, others);
    }

    private static AtomicBoolean[] flags() {
        AtomicBoolean[] flags = new AtomicBoolean[3];
        Arrays.setAll(flags, task -> new AtomicBoolean());
        return flags;
    }

    private static List<Integer> held(AtomicBoolean[] flags) {
        return IntStream.range(0, flags.length).filter(task -> flags[task].get()).boxed().toList();
    }
}
