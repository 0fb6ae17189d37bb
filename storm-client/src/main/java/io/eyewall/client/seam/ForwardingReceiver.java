package io.eyewall.client.seam;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;

/** A worker's receiver that forwards each call to another one, unless a subclass overrides it. As safe for threads as the other. */
public abstract class ForwardingReceiver implements IConnection {

    private final IConnection receiver;

    /** Forwards to that one. */
    protected ForwardingReceiver(IConnection receiver) {
        this.receiver = receiver;
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        receiver.sendLoadMetrics(taskToLoad);
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
        receiver.sendBackPressureStatus(status);
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
        receiver.send(messages);
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        return receiver.getLoad(tasks);
    }

    @Override
    public int getPort() {
        return receiver.getPort();
    }

    @Override
    public void close() {
        receiver.close();
    }
}
