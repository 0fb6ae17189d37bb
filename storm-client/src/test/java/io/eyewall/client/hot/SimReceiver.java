package io.eyewall.client.hot;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;

/** The receiving end of a worker, of which only the reports of back-pressure count. */
record SimReceiver(Consumer<BackPressureStatus> senders) implements IConnection {

    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
        senders.accept(status);
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        return Map.of();
    }

    @Override
    public int getPort() {
        return 0;
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
