package io.eyewall.tail.balance;

import io.eyewall.client.seam.Groupings;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.time.NanoClock;
import io.eyewall.tail.auto.BoltLoad;
import io.eyewall.tail.auto.HostCpu;
import io.eyewall.tail.auto.TechniqueSwitch;
import io.eyewall.tail.auto.TechniqueSwitches;
import io.eyewall.tail.shared.SharedQueuesFeature;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.Executor;
import org.apache.storm.generated.Grouping;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Load balancing in one worker. Seams are called on the thread that starts the worker or changes its executors, and for groupings on
 * executors' threads as well. Periods end on one of the worker's timers.
 */
final class WorkerBalancing {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerBalancing.class);

    private final BalancingConfiguration configuration;
    private final TechniqueSwitches tail;
    private final boolean switches;
    private final NanoClock clock;
    /** Used under this object's lock. */
    private final SplittableRandom random;

    /** The samplers, by the queue or the shared tuples that their executors take from. */
    private final Map<Object, LatencySampler> samplers = new ConcurrentHashMap<>();
    /** The components whose senders choose tasks by latency, or all if switches need their load. For the starting thread. */
    private final Set<String> observed = new HashSet<>();
    private final LiveGroupings groupings = new LiveGroupings();
    private final BalancingGauges gauges = new BalancingGauges();

    /** The switch that the cluster's scheduler orders; null if it does not. Set before the worker has other threads. */
    private TechniqueSwitch ordered;

    /** The CPU times at the end of the last period. For the timer's thread, after the starting one. */
    private HostCpu.Times lastCpu = HostCpu.SYSTEM.read();

    /** The worker, once it has its transfer. For the starting thread. */
    private WorkerState starting;

    WorkerBalancing(BalancingConfiguration configuration, TechniqueSwitches tail, NanoClock clock, SplittableRandom random) {
        this.configuration = configuration;
        this.tail = tail;
        switches = tail.decides(BalancingConfiguration.BALANCING);
        this.clock = clock;
        this.random = random;
    }

    /** Fills the seams. */
    void join(WorkerSeams.Builder seams) {
        if (tail.takesOrders(BalancingConfiguration.BALANCING)) {
            ordered = tail.ordered(seams, BalancingConfiguration.BALANCING);
        }
        seams.topology().get_bolts().forEach((component, bolt) -> {
            if (tail.isAutomatic() || bolt.get_common().get_inputs().values().stream().anyMatch(WorkerBalancing::isBalanced)) {
                observed.add(component);
            }
        });
        seams.receiveQueues(next -> request -> observed(request, next.receiveQueue(request)));
        seams.executorProbes(this::follower);
        seams.onLeave(this::left);
        seams.groupings(next -> request -> grouping(request, next));
        seams.receivers(next -> request -> reporting(next, request));
        seams.onStart(worker -> {
            starting = worker;
            gauges.showIn(worker.getMetricRegistry());
        });
    }

    private JCQueue observed(QueueRequest request, JCQueue queue) {
        if (observed.contains(request.componentId())) {
            LatencySampler sampler = sampler(queue);
            sampler.add(request.taskIds());
            ((ProbedQueue) queue).addEyewallProbe(sampler);
        }
        return queue;
    }

    private ExecutionFollower follower(Executor executor) {
        return observed.contains(executor.getComponentId()) ? sampler(executor.getReceiveQueue()).follower() : null;
    }

    private synchronized void left(List<Integer> tasks, JCQueue queue) {
        LatencySampler sampler = samplers.get(SharedQueuesFeature.tuplesOf(queue));
        if (sampler != null) {
            sampler.remove(tasks);
            samplers.remove(queue); // Its own sampler; a shared one stays for later executors.
            gauges.forget(tasks);
        }
    }

    private synchronized LatencySampler sampler(JCQueue queue) {
        return samplers.computeIfAbsent(SharedQueuesFeature.tuplesOf(queue), each -> {
            LatencySampler sampler = new LatencySampler(clock, random.split(), () -> SharedQueuesFeature.isShared(queue));
            if (isIdle()) {
                sampler.pause();
            }
            return sampler;
        });
    }

    private LoadAwareCustomStreamGrouping grouping(Groupings.Request request, Groupings next) {
        List<Integer> tasks = receivers(request);
        if (tasks.size() < 2 || Utils.isSystemId(request.streamId()) || !isBalanced(request.grouping())
                || !(configuration.isOn() || switches || ordered != null)) {
            return next.grouping(request);
        }
        String subscriber = request.context().getComponentId(tasks.get(0));
        int firstTurn = firstTurn();
        TechniqueSwitch control = switches ? tail.balancing(request.componentId(), request.streamId(), subscriber, tasks) : ordered;
        WeightedShuffle grouping = control != null
            ? new WeightedShuffle(tasks, configuration.aging(), firstTurn, control, next.grouping(request))
            : new WeightedShuffle(tasks, configuration.aging(), firstTurn);
        groupings.add(grouping);
        gauges.show(request.componentId(), request.streamId(), subscriber, grouping);
        return grouping;
    }

    /** Whether the cluster's scheduler has not switched it on. */
    private boolean isIdle() {
        return ordered != null && !ordered.isOn();
    }

    private synchronized int firstTurn() {
        return random.nextInt(Integer.MAX_VALUE);
    }

    private static boolean isBalanced(Grouping grouping) {
        return grouping.is_set_shuffle() || grouping.is_set_local_or_shuffle();
    }

    /** Local-or-shuffle stays within the worker if it can, as upstream's does. */
    private static List<Integer> receivers(Groupings.Request request) {
        List<Integer> tasks = request.targetTasks().stream().sorted().toList();
        if (request.grouping().is_set_local_or_shuffle()) {
            Set<Integer> own = new HashSet<>(request.context().getThisWorkerTasks());
            List<Integer> local = tasks.stream().filter(own::contains).toList();
            return local.isEmpty() ? tasks : local;
        }
        return tasks;
    }

    private IConnection reporting(Receivers next, Receivers.Request request) {
        LoadReportingReceiver reporting = new LoadReportingReceiver(next.receiver(request));
        WorkerState worker = starting;
        worker.getUserTimer().scheduleRecurring(configuration.periodSecs(), configuration.periodSecs(), () -> endPeriod(worker, reporting));
        return reporting;
    }

    /** Ends a period. Catches exceptions, since one that leaves the timer would end the worker. */
    private void endPeriod(WorkerState worker, LoadReportingReceiver receiver) {
        try {
            if (isIdle()) {
                samplers.values().forEach(LatencySampler::pause);
                receiver.report(Map.of(), Map.of());
                groupings.all().forEach(grouping -> grouping.adjust(Map.of()));
                return;
            }
            samplers.values().forEach(LatencySampler::resume);
            Map<Integer, Double> latenciesNs = new HashMap<>();
            Map<String, BoltLoad> bolts = new HashMap<>();
            measure(worker.getTaskToComponent(), latenciesNs, bolts);
            Map<Integer, Double> own = tail.isAutomatic() ? load(bolts) : Map.of();
            receiver.report(latenciesNs, own);
            Map<Integer, Double> busiest = new HashMap<>(own);
            addReported(worker, latenciesNs, busiest);
            if (tail.isAutomatic()) {
                tail.judge(busiest.get(LoadReportingReceiver.CPU), busiest.get(LoadReportingReceiver.UTILISATION), bolts, latenciesNs,
                    worker.getMetricRegistry());
            }
            groupings.all().forEach(grouping -> grouping.adjust(latenciesNs));
        } catch (RuntimeException e) {
            LOG.warn("Traffic is not balanced by latency in this period. The next period tries again.", e);
        }
    }

    private synchronized void measure(Map<Integer, String> taskToComponent, Map<Integer, Double> latenciesNs, Map<String, BoltLoad> bolts) {
        samplers.values().forEach(sampler -> {
            BoltLoad load = sampler.endPeriod(latenciesNs);
            sampler.tasks().stream().findFirst().map(taskToComponent::get).ifPresent(bolt -> bolts.merge(bolt, load, BoltLoad::plus));
        });
        gauges.show(latenciesNs, taskToComponent);
    }

    /** The load that this worker reports. */
    private Map<Integer, Double> load(Map<String, BoltLoad> bolts) {
        HostCpu.Times now = HostCpu.SYSTEM.read();
        double cpu = now.loadSince(lastCpu).orElse(0);
        lastCpu = now;
        return Map.of(LoadReportingReceiver.CPU, cpu,
            LoadReportingReceiver.UTILISATION, bolts.values().stream().mapToDouble(BoltLoad::utilisation).max().orElse(0));
    }

    /** Adds what other workers have reported: latencies, and the load of the busiest one. */
    private void addReported(WorkerState worker, Map<Integer, Double> latenciesNs, Map<Integer, Double> busiest) {
        Set<Integer> keys = groupings.all().stream().flatMapToInt(grouping -> Arrays.stream(grouping.tasks()))
            .filter(task -> !latenciesNs.containsKey(task)).mapToObj(LoadReportingReceiver::key).collect(Collectors.toSet());
        keys.addAll(busiest.keySet());
        for (IConnection connection : worker.getCachedNodeToPortSocket().get().values()) {
            connection.getLoad(keys).forEach((key, load) -> {
                if (busiest.containsKey(key)) {
                    busiest.merge(key, load.getBoltLoad(), Math::max);
                } else {
                    latenciesNs.put(LoadReportingReceiver.key(key), load.getBoltLoad());
                }
            });
        }
    }
}
