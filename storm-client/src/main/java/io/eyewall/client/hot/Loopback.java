package io.eyewall.client.hot;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The connection of a worker to itself: receives messages that were on their way to another worker when their task came to this one, and
 * the fences of a {@link TransferFence}.
 */
final class Loopback implements IConnection {

    private final WorkerState worker;
    private final Map<String, Object> topologyConf;
    private final Consumer<AddressedTuple> receiver;
    private final Runnable fencePassed;
    /** Made and used by the transfer thread. */
    private KryoTupleDeserializer deserializer;

    /** Hands tuples to {@code receiver}, and runs {@code fencePassed} for each fence; on the transfer thread. */
    Loopback(WorkerState worker, Map<String, Object> topologyConf, Consumer<AddressedTuple> receiver, Runnable fencePassed) {
        this.worker = worker;
        this.topologyConf = topologyConf;
        this.receiver = receiver;
        this.fencePassed = fencePassed;
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
        if (deserializer == null) {
            deserializer = new KryoTupleDeserializer(topologyConf, worker.getWorkerTopologyContext());
        }
        messages.forEachRemaining(message -> {
            if (message.task() == Marker.TASK) {
                fencePassed.run();
            } else {
                receiver.accept(new AddressedTuple(message.task(), deserializer.deserialize(message.message())));
            }
        });
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        return Map.of();
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        throw new UnsupportedOperationException("A worker reports nothing to itself");
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
        throw new UnsupportedOperationException("A worker reports nothing to itself");
    }

    @Override
    public int getPort() {
        return worker.getPort();
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
