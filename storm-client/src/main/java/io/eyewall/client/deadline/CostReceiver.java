package io.eyewall.client.deadline;

import io.eyewall.client.seam.ForwardingReceiver;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;

/**
 * The receiver of a worker with deadlines. With each report of load, every five seconds, it reports to the workers that send here what
 * their tuples cost here, and learns the same from the workers that this one sends to. Upstream's workers do not read what is no task's.
 */
final class CostReceiver extends ForwardingReceiver {

    private final Deadlines deadlines;
    private final Supplier<Collection<IConnection>> connections;

    /** {@code connections} are those to other workers. */
    CostReceiver(IConnection receiver, Deadlines deadlines, Supplier<Collection<IConnection>> connections) {
        super(receiver);
        this.deadlines = deadlines;
        this.connections = connections;
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        Map<Integer, Double> all = new HashMap<>(taskToLoad);
        all.putAll(deadlines.report());
        super.sendLoadMetrics(all);
        Map<Integer, Double> reported = new HashMap<>();
        for (IConnection connection : connections.get()) {
            connection.getLoad(deadlines.reportedKeys()).forEach((key, cost) -> reported.merge(key, cost.getBoltLoad(), Math::max));
        }
        deadlines.learn(reported);
    }
}
