package io.eyewall.client.stream.instance;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;

/** The receiving end of an instance's {@link StreamLink}, which reports the instance to the stream manager. For any thread. */
final class ReceivingEnd extends ConnectionWithStatus {

    private final StreamLink link;
    private final int port;

    ReceivingEnd(StreamLink link, int port) {
        this.link = link;
        this.port = port;
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskLoads) {
        link.reportSoon(Map.copyOf(taskLoads));
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus report) {
        link.reportSoon(held(report));
    }

    /** The tasks that cannot keep up, by what a worker answers to a new connection. */
    static Set<Integer> held(Object response) {
        return response instanceof BackPressureStatus report && report.bpTasks != null ? Set.copyOf(report.bpTasks) : Set.of();
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
        throw new UnsupportedOperationException("The receiving end of a worker sends no tuples");
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        throw new UnsupportedOperationException("The receiving end of a worker knows no loads");
    }

    @Override
    public int getPort() {
        return port;
    }

    @Override
    public Status status() {
        return link.isConnected() ? Status.Ready : Status.Connecting;
    }

    @Override
    public void close() {
        link.close();
    }
}
