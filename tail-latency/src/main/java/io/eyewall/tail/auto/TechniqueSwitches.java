package io.eyewall.tail.auto;

import com.codahale.metrics.Gauge;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.settings.tail.TailConfiguration;
import io.eyewall.client.settings.tail.TechniqueOrders;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Constants;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The switches of the techniques in one worker that are switched while it runs. Techniques get their switches when the worker is put
 * together. One thread judges them at the end of each period, or another one reads what the cluster's scheduler orders.
 *
 * <p>Each switch is in the worker's metrics under task -1, with 1 for on and 0 for off. A second metric, whose name ends in
 * {@code -switches}, counts its changes: {@code tail-adaptive-timeout} of the system's component, {@code tail-shared-queue} of a bolt,
 * {@code tail-balancing-<stream>-<subscriber>} of a component that sends, or {@code tail-balancing} of the system's component if the
 * cluster's scheduler switches it; and {@code tail-deadline-targets} of the system's component.
 */
public final class TechniqueSwitches {

    private static final Logger LOG = LoggerFactory.getLogger(TechniqueSwitches.class);

    private static final int SOON = 3;
    private static final int LATER = 12;
    private static final int MUCH_LATER = 96;
    private static final String ADAPTIVE_TIMEOUT = "tail-adaptive-timeout";
    /** The metrics of switches that follow the cluster's scheduler, by the key of the technique. */
    private static final Map<String, String> ORDERED = Map.of(TechniqueOrders.ADAPTIVE_TIMEOUT, ADAPTIVE_TIMEOUT,
        BalancingConfiguration.BALANCING, "tail-balancing", TechniqueOrders.DEADLINES, "tail-deadline-targets");
    private static final double PERCENT = 100;

    private final boolean automatic;
    private final boolean ordered;
    private final Map<String, Object> topologyConf;
    /** Null if no spout replays messages. It switches off soon, since replays make an overload worse. */
    private volatile TechniqueSwitch adaptiveTimeout;
    private final Map<String, TechniqueSwitch> sharing = new ConcurrentHashMap<>();
    /** The switches of senders. They stay on for long: balancing makes latencies equal, so tasks can be compared only while it is off. */
    private final Map<Subscription, Balanced> balancing = new ConcurrentHashMap<>();
    /** The switches that follow the cluster's scheduler, by the key of the technique. Complete before the worker starts. */
    private final Map<String, TechniqueSwitch> orders = new ConcurrentHashMap<>();
    /** The switches that have gauges. For the judging thread or, if there is none, the one that starts the worker. */
    private final Set<TechniqueSwitch> shown = new HashSet<>();

    /** Begins without switches. */
    TechniqueSwitches(Map<String, Object> topologyConf) {
        this.topologyConf = topologyConf;
        TailConfiguration configuration = new TailConfiguration(topologyConf);
        automatic = configuration.isAutomatic();
        ordered = configuration.takesOrders();
    }

    /** The switches of the worker that is being put together. */
    public static TechniqueSwitches of(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        return seams.common(TechniqueSwitches.class, () -> new TechniqueSwitches(topologyConf));
    }

    /** Whether any technique is switched automatically. */
    public boolean isAutomatic() {
        return automatic;
    }

    /** Whether the technique with this key is switched automatically: it is not if the topology sets its key. */
    public boolean decides(String key) {
        return automatic && !topologyConf.containsKey(key);
    }

    /** Whether the cluster's scheduler switches techniques. */
    public boolean takesOrders() {
        return ordered;
    }

    /** Whether the cluster's scheduler switches the technique with this key: it does not if the topology sets its key. */
    public boolean takesOrders(String key) {
        return ordered && !topologyConf.containsKey(key);
    }

    /**
     * The switch of a technique that follows the cluster's scheduler, from the start of the worker to its end.
     *
     * @param key the key of the technique, by which the scheduler names it
     */
    public TechniqueSwitch ordered(WorkerSeams.Builder seams, String key) {
        if (orders.isEmpty()) {
            AtomicReference<OrderReader> reader = new AtomicReference<>();
            seams.onStart(worker -> reader.set(started(worker)));
            seams.onClose(worker -> Optional.ofNullable(reader.get()).ifPresent(OrderReader::close));
        }
        return orders.computeIfAbsent(key, each -> new TechniqueSwitch(SOON, SOON));
    }

    /** The switch of the spouts of this worker. */
    public TechniqueSwitch adaptiveTimeout() {
        adaptiveTimeout = Objects.requireNonNullElseGet(adaptiveTimeout, () -> new TechniqueSwitch(SOON, SOON));
        return adaptiveTimeout;
    }

    /** The switch of a bolt's queue. */
    public TechniqueSwitch sharing(String bolt) {
        return sharing.computeIfAbsent(bolt, first -> new TechniqueSwitch(LATER, LATER));
    }

    /**
     * The switch of all senders of a component that send to tasks of a subscriber on a stream.
     *
     * @param tasks the tasks that they send to from now on
     */
    public TechniqueSwitch balancing(String component, String stream, String subscriber, List<Integer> tasks) {
        return balancing.compute(new Subscription(component, stream, subscriber), (each, known) ->
            new Balanced(known == null ? new TechniqueSwitch(LATER, MUCH_LATER) : known.control, List.copyOf(tasks))).control;
    }

    /**
     * Ends a period.
     *
     * @param cpu the share of the CPUs that is busy, from 0 to 1, on the busiest host that is known; NaN if it is not known
     * @param reported the utilisation of the busiest bolt that other workers have reported, from 0 to 1
     * @param bolts the bolts of this worker
     * @param latenciesNs the time for which a task keeps a tuple, in ns, by task; only tasks whose time is known
     * @param registry gets the gauges of the switches
     */
    public void judge(double cpu, double reported, Map<String, BoltLoad> bolts, Map<Integer, Double> latenciesNs,
            StormMetricRegistry registry) {
        if (adaptiveTimeout != null) {
            double busiest = bolts.values().stream().mapToDouble(BoltLoad::utilisation).reduce(reported, Math::max);
            show(registry, ADAPTIVE_TIMEOUT, Constants.SYSTEM_COMPONENT_ID, adaptiveTimeout);
            if (adaptiveTimeout.judge(TechniqueConditions.forAdaptiveTimeout(cpu, busiest),
                    TechniqueConditions.againstAdaptiveTimeout(cpu, busiest))) {
                LOG.info("Adaptive timeout is {} from now on: {} of the CPUs are busy, and the busiest bolt executes for {} of its time.",
                    onOff(adaptiveTimeout), percent(cpu), percent(busiest));
            }
        }
        sharing.forEach((bolt, control) -> {
            show(registry, "tail-shared-queue", bolt, control);
            BoltLoad load = bolts.get(bolt);
            if (load != null && control.judge(TechniqueConditions.forSharing(load.executors(), load.utilisation()),
                    TechniqueConditions.againstSharing(load.utilisation()))) {
                LOG.info("The shared queue of bolt {} is {} from now on: its {} executors here are busy for {} of their time.", bolt,
                    onOff(control), load.executors(), percent(load.utilisation()));
            }
        });
        balancing.forEach((subscription, balanced) -> {
            show(registry, "tail-balancing-" + subscription.stream + '-' + subscription.subscriber, subscription.component,
                balanced.control);
            judgeBalancing(subscription, balanced, latenciesNs);
        });
    }

    private static void judgeBalancing(Subscription to, Balanced balanced, Map<Integer, Double> latenciesNs) {
        TechniqueSwitch control = balanced.control;
        double[] known = balanced.tasks.stream().map(latenciesNs::get).filter(Objects::nonNull).mapToDouble(Double::doubleValue).sorted()
            .toArray();
        if (known.length < 2) {
            return;
        }
        double leastNs = known[0];
        double mostNs = known[known.length - 1];
        if (control.judge(TechniqueConditions.forBalancing(leastNs, mostNs), TechniqueConditions.againstBalancing(leastNs, mostNs))) {
            LOG.info("Balancing from {} by stream {} to {} is {} from now on: its tasks keep a tuple for {} to {} ms.", to.component,
                to.stream, to.subscriber, onOff(control), ms(leastNs), ms(mostNs));
        }
    }

    private OrderReader started(WorkerState worker) {
        orders.forEach((key, control) ->
            show(worker.getMetricRegistry(), ORDERED.get(key), Constants.SYSTEM_COMPONENT_ID, control));
        OrderReader reader = new OrderReader(worker.getStateStorage(), worker.getTopologyId(), TechniqueOrders.READ_PERIOD_MS,
            orders.keySet(), this::obey);
        reader.start();
        return reader;
    }

    /** Switches what the scheduler wants on, and the rest off. On the reading thread. */
    private void obey(Set<String> keys) {
        orders.forEach((key, control) -> {
            if (control.order(keys.contains(key))) {
                LOG.info("Technique {} is {} from now on, as the scheduler orders.", key, onOff(control));
            }
        });
    }

    private void show(StormMetricRegistry registry, String name, String component, TechniqueSwitch control) {
        if (shown.add(control)) {
            int task = (int) Constants.SYSTEM_TASK_ID;
            registry.gauge(name, (Gauge<Integer>) () -> control.isOn() ? 1 : 0, component, task);
            registry.gauge(name + "-switches", (Gauge<Integer>) control::switches, component, task);
        }
    }

    private static String onOff(TechniqueSwitch control) {
        return control.isOn() ? "on" : "off";
    }

    private static String percent(double part) {
        return Double.isNaN(part) ? "an unknown part" : Math.round(part * PERCENT) + " %";
    }

    private static String ms(double ns) {
        return String.format(Locale.ROOT, "%.1f", ns / TimeUnit.MILLISECONDS.toNanos(1));
    }

    private record Subscription(String component, String stream, String subscriber) {
    }

    /** The switch of senders, and the tasks that they send to. */
    private record Balanced(TechniqueSwitch control, List<Integer> tasks) {
    }
}
