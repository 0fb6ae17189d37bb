package io.eyewall.tail.balance;

import io.eyewall.client.seam.ForwardingReceiver;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.messaging.IConnection;

/**
 * The receiver of a worker, which tells the workers that send to it the latencies of its tasks along with the load of their queues. Load
 * goes as a map from task to load, of which only the last one that arrived holds; the latency of task {@code t} is in it as that of
 * {@code ~t}, which is no task. A worker that knows nothing of it does not ask for it. Nor is {@link #CPU} or {@link #UTILISATION}. Safe
 * for use by any thread.
 */
final class TellingReceiver extends ForwardingReceiver {

    /** Under which key goes which part of the CPUs of this worker's host is busy. */
    static final int CPU = Integer.MIN_VALUE;
    /** Under which key goes how busy the busiest bolt of this worker is. */
    static final int UTILISATION = Integer.MIN_VALUE + 1;

    /** What upstream told last, and what it is to be told along with; used under this object's lock. */
    private Map<Integer, Double> loads = Map.of();
    private Map<Integer, Double> figures = Map.of();

    TellingReceiver(IConnection receiver) {
        super(receiver);
    }

    /** Under which key the latency of a task goes. */
    static int key(int taskId) {
        return ~taskId;
    }

    /**
     * Tells the latencies of tasks of this worker, in ns, and its load by key, at once and with each load until the next call. Nothing is
     * told, too, where something was before.
     */
    synchronized void tell(Map<Integer, Double> latenciesNs, Map<Integer, Double> load) {
        Map<Integer, Double> all = new HashMap<>(load);
        latenciesNs.forEach((task, latencyNs) -> all.put(key(task), latencyNs));
        boolean news = !(all.isEmpty() && figures.isEmpty());
        figures = all;
        if (news) {
            send();
        }
    }

    @Override
    public synchronized void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        loads = Map.copyOf(taskToLoad);
        send();
    }

    private void send() {
        Map<Integer, Double> all = new HashMap<>(loads);
        all.putAll(figures);
        super.sendLoadMetrics(all);
    }
}
