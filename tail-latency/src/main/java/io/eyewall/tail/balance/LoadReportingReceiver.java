package io.eyewall.tail.balance;

import io.eyewall.client.seam.ForwardingReceiver;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.messaging.IConnection;

/**
 * The receiver of a worker, which reports the latencies of its tasks to the workers that send to it, together with the load of its queues.
 * Storm sends load as a map from task to load, and each map replaces the one before. The latency of task {@code t} is in it under the key
 * {@code ~t}, and {@link #CPU} and {@link #UTILISATION} are keys, too. None of these keys is a task, so a worker that does not know the
 * keys does not read them. Safe for use by any thread.
 */
final class LoadReportingReceiver extends ForwardingReceiver {

    /** The key of the share of the CPUs of this worker's host that is busy, from 0 to 1. */
    static final int CPU = Integer.MIN_VALUE;
    /** The key of the utilisation of the busiest bolt of this worker, from 0 to 1. */
    static final int UTILISATION = Integer.MIN_VALUE + 1;

    /** The load that upstream sent last, and the figures that are sent with it; used under this object's lock. */
    private Map<Integer, Double> loads = Map.of();
    private Map<Integer, Double> figures = Map.of();

    LoadReportingReceiver(IConnection receiver) {
        super(receiver);
    }

    /** The key of the latency of a task. */
    static int key(int taskId) {
        return ~taskId;
    }

    /**
     * Reports the latencies of tasks of this worker, in ns, and its load by key, at once and with each load until the next call. If both
     * are empty, it removes the figures that were reported before.
     */
    synchronized void report(Map<Integer, Double> latenciesNs, Map<Integer, Double> load) {
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
