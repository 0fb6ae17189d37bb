package io.eyewall.tail.balance;

import com.codahale.metrics.Gauge;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.storm.Constants;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows latencies and shares in a worker's metrics. One thread at a time may show latencies, any thread may add shares.
 * <ul>
 * <li>{@code balancing-latency-ns} of each task that is sent to: the mean of the last period in which it executed a tuple</li>
 * <li>{@code balancing-share-<stream>-<subscriber>-<task>} of each component that sends, under task -1: the share of the traffic of this
 * worker's executors that goes to that task, from 0 to 1, as the mean over these executors</li>
 * </ul>
 */
final class BalancingGauges {

    private static final Logger LOG = LoggerFactory.getLogger(BalancingGauges.class);

    /** By task. */
    private final Map<Integer, Latency> latencies = new HashMap<>();
    private final Map<Subscription, LiveGroupings> senders = new ConcurrentHashMap<>();
    /** The shares that have a gauge. */
    private final Set<Share> shown = ConcurrentHashMap.newKeySet();

    /** Written by the thread that starts the worker, before there are groupings. */
    private StormMetricRegistry registry;

    /** Sets the registry; called first. */
    void showIn(StormMetricRegistry workersRegistry) {
        registry = workersRegistry;
    }

    /** Shows the shares of one more grouping. */
    void show(String component, String stream, String subscriber, WeightedShuffle grouping) {
        Subscription subscription = new Subscription(component, stream, subscriber);
        LiveGroupings groupings = senders.computeIfAbsent(subscription, first -> new LiveGroupings());
        groupings.add(grouping);
        for (int task : grouping.tasks()) {
            if (shown.add(new Share(subscription, task))) {
                gauge("balancing-share-" + stream + '-' + subscriber + '-' + task, () -> share(groupings, task), component,
                    (int) Constants.SYSTEM_TASK_ID);
            }
        }
    }

    /** Shows the latencies of tasks of this worker. */
    void show(Map<Integer, Double> periodsLatenciesNs, Map<Integer, String> taskToComponent) {
        periodsLatenciesNs.forEach((task, latencyNs) -> {
            Latency known = latencies.get(task);
            if (known != null) {
                known.ns = latencyNs;
                return;
            }
            Latency first = new Latency(latencyNs);
            latencies.put(task, first);
            gauge("balancing-latency-ns", first, taskToComponent.get(task), task);
        });
    }

    /** Removes the gauges of tasks that have left. */
    void forget(List<Integer> tasks) {
        registry.deregister(tasks.stream().map(latencies::remove).filter(Objects::nonNull).collect(Collectors.toSet()));
    }

    private static double share(LiveGroupings groupings, int task) {
        return groupings.all().stream().mapToDouble(grouping -> grouping.share(task)).average().orElse(0);
    }

    private void gauge(String name, Gauge<Double> gauge, String component, int task) {
        try {
            registry.gauge(name, gauge, component, task);
        } catch (IllegalArgumentException e) {
            LOG.warn("The gauge {} of component {} is not shown: {}. Storm writes a dot in a name as _; rename one of the two.", name,
                component, e.getMessage());
        }
    }

    /** The latency of one task; read by reporters. */
    private static final class Latency implements Gauge<Double> {
        private volatile double ns;

        Latency(double ns) {
            this.ns = ns;
        }

        @Override
        public Double getValue() {
            return ns;
        }
    }

    private record Share(Subscription subscription, int task) {
    }

    private record Subscription(String component, String stream, String subscriber) {
    }
}
