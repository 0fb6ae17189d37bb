package io.eyewall.client.hot;

import java.util.List;
import java.util.Map;
import org.apache.storm.policy.IWaitStrategy;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;

/**
 * Stands for the queues of tasks that are not here: hands their tuples to what sends them on, and always has room. Has no metrics.
 */
final class DetourQueue extends JCQueue {

    private static final int UNUSED_CAPACITY = 2;

    private final java.util.function.Consumer<AddressedTuple> sender;

    DetourQueue(String topologyId, int port, Map<String, Object> topologyConf, java.util.function.Consumer<AddressedTuple> sender) {
        super("detour-queue", "detour-queue", UNUSED_CAPACITY, 0, 1, IWaitStrategy.createBackPressureWaitStrategy(topologyConf), topologyId,
            "__system", List.of(), port, null);
        this.sender = sender;
    }

    @Override
    public boolean tryPublish(Object tuple) {
        sender.accept((AddressedTuple) tuple);
        return true;
    }
}
