package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Costs on their way from a worker to the one that sends to it, over Storm's Netty transport. */
class CostReceiverTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void shouldTellCostsToTheWorkerThatSendsWithTheLoadOfQueues() {
        Deadlines behind = new TimedInput().deadlines();
        Deadlines before = new TimedInput().deadlines();
        behind.executed(behind.operator("bolt"), 40);
        Context context = new Context();
        context.prepare(Utils.readDefaultConfig(), new StormMetricRegistry());
        try {
            IConnection server = bind(context);
            IConnection client = context.connect("topology", "127.0.0.1", server.getPort(),
                new AtomicBoolean[] {null, new AtomicBoolean()});
            CostReceiver telling = new CostReceiver(server, behind, List::of);
            Awaitility.await().atMost(PATIENCE).until(() -> { // The first reports may come before the connection.
                telling.sendLoadMetrics(Map.of(1, 0.5));
                return client.getLoad(Set.of(1)).containsKey(1);
            });
            assertEquals(0.5, client.getLoad(Set.of(1)).get(1).getBoltLoad());

            CostReceiver learning = new CostReceiver(bind(context), before, () -> List.of(client));
            Awaitility.await().atMost(PATIENCE).until(() -> { // The connection takes in a report entry by entry.
                learning.sendLoadMetrics(Map.of());
                return before.remainingNs(before.operator("bolt")) == 40;
            });
            before.executed(before.operator("spout"), 10);
            assertEquals(50, before.remainingNs(before.operator("spout")));
        } finally {
            context.term();
        }
    }

    private static IConnection bind(Context context) {
        return context.bind("topology", 0, messages -> { }, () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>()));
    }
}
