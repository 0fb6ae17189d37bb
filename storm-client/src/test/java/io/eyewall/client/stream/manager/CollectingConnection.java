package io.eyewall.client.stream.manager;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;

/** A connection that keeps what is sent while it is ready, and drops the rest, as Storm's does. */
class CollectingConnection extends ConnectionWithStatus {

    final BlockingQueue<TaskMessage> sent = new LinkedBlockingQueue<>();
    final BlockingQueue<TaskMessage> dropped = new LinkedBlockingQueue<>();
    volatile Status status = Status.Ready;

    @Override
    public void send(Iterator<TaskMessage> messages) {
        messages.forEachRemaining((status == Status.Ready ? sent : dropped)::add);
    }

    @Override
    public Status status() {
        return status;
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> loads) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus report) {
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
        status = Status.Closed;
    }
}
