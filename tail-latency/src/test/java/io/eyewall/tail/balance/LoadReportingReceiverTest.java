package io.eyewall.tail.balance;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Over upstream's own messaging. */
class LoadReportingReceiverTest {

    private static final Duration DEADLINE = Duration.ofMinutes(1);

    @Test
    void shouldReportLatenciesAndLoadsOfWhicheverCameLast() {
        IContext messaging = new Context();
        messaging.prepare(Utils.readStormConfig(), new StormMetricRegistry());
        try (LoadReportingReceiver receiver = new LoadReportingReceiver(messaging.bind("topology-1", 0, batch -> { },
                () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>())));
                IConnection sender = messaging.connect("topology-1", "localhost", receiver.getPort(), connected())) {
            await().atMost(DEADLINE).until(() -> {
                receiver.sendLoadMetrics(Map.of(3, 0.25, 4, 0.5));
                return load(sender, 3) == 0.25;
            });

            receiver.report(Map.of(3, 7e6), Map.of(LoadReportingReceiver.CPU, 0.125));
            await().atMost(DEADLINE).until(() -> load(sender, LoadReportingReceiver.key(3)) == 7e6);
            assertEquals(0.5, load(sender, 4), "the latencies came with the loads");
            assertEquals(0.125, load(sender, LoadReportingReceiver.CPU));

            receiver.sendLoadMetrics(Map.of(3, 0.75));
            await().atMost(DEADLINE).until(() -> load(sender, 3) == 0.75);
            assertEquals(7e6, load(sender, LoadReportingReceiver.key(3)), "the loads came with the latencies");

            receiver.report(Map.of(), Map.of());
            await().atMost(DEADLINE).until(() -> load(sender, LoadReportingReceiver.key(3)) == -1);
            assertEquals(0.75, load(sender, 3));
        } finally {
            messaging.term();
        }
    }

    private static double load(IConnection sender, int key) {
        return sender.getLoad(List.of(key)).values().stream().mapToDouble(load -> load.getBoltLoad()).findFirst().orElse(-1);
    }

    private static AtomicBoolean[] connected() {
        AtomicBoolean[] backPressure = new AtomicBoolean[10];
        Arrays.setAll(backPressure, task -> new AtomicBoolean());
        return backPressure;
    }
}
