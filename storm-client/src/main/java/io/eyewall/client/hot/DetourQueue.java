package io.eyewall.client.hot;

import java.util.List;
import java.util.Map;
import org.apache.storm.policy.IWaitStrategy;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;

/**
 * Stands for the queues of tasks that this worker does not have: hands their tuples to the {@link Forwarder}, and markers to the conductor.
 * It is full when the forwarder is. Then the workers that send here are asked to hold back, as for any task; the queue still takes the
 * tuples that arrive. It has no metrics.
 */
final class DetourQueue extends JCQueue {

    private static final int UNUSED_CAPACITY = 2;

    private final Forwarder forwarder;
    private final java.util.function.Consumer<Marker> markers;

    DetourQueue(String topologyId, int port, Map<String, Object> topologyConf, Forwarder forwarder,
            java.util.function.Consumer<Marker> markers) {
        super("detour-queue", "detour-queue", UNUSED_CAPACITY, 0, 1, IWaitStrategy.createBackPressureWaitStrategy(topologyConf), topologyId,
            "__system", List.of(), port, null);
        this.forwarder = forwarder;
        this.markers = markers;
    }

    @Override
    public boolean tryPublish(Object tuple) {
        return forwarder.hasSpace() && tryPublishToOverflow(tuple);
    }

    @Override
    public boolean tryPublishToOverflow(Object tuple) {
        AddressedTuple addressed = (AddressedTuple) tuple;
        if (addressed.getDest() == Marker.TASK) {
            markers.accept(Marker.of(addressed.getTuple().getValues()));
        } else {
            forwarder.accept(addressed);
        }
        return true;
    }

    @Override
    public boolean isEmptyOverflow() {
        return forwarder.hasSpace();
    }

    @Override
    public int getOverflowCount() {
        return (int) Math.min(forwarder.backlog(), Integer.MAX_VALUE);
    }
}
