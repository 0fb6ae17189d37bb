package io.eyewall.client.pool;

import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.deadline.Deadlines;
import io.eyewall.client.deadline.Urgency;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.engine.WakeOnArrivalFeature;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.ring.WatchedRings;
import io.eyewall.client.seam.ExecutorLoops;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.client.time.NanoClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets executors of a worker share threads, if {@link EngineConfiguration#EXECUTOR_THREADS} is {@code pool} for the topology or for their
 * component, or {@code auto} and the worker has many executors or deadlines. For Storm's own components the topology's value applies. In
 * simulated time, which checks whether threads sleep, no executors share threads.
 */
public final class ExecutorPoolFeature implements WorkerFeature {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorPoolFeature.class);
    private static final String CPU_GAUGE = "executor-cpu-ms";
    private static final String OUTSIDE_GAUGE = "executor-own-thread";
    private static final long STOPS_WITHIN_MS = 2_000;
    /** With more executors per core than this, sharing threads is faster: measured in design/005. */
    private static final int MANY_PER_CORE = 8;

    @Override
    public String name() {
        return "engine-executor-pool";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        EngineConfiguration engine = new EngineConfiguration(topologyConf);
        Map<String, ComponentCommon> components = Components.of(seams.topology());
        int cores = Runtime.getRuntime().availableProcessors();
        Optional<Deadlines> deadlines = seams.common(Deadlines.class);
        boolean many = deadlines.isPresent() || executorsPerWorker(components.values(), topologyConf) > MANY_PER_CORE * cores;
        boolean others = shares(topologyConf, many);
        Map<String, Boolean> sharing = sharing(components, topologyConf, many);
        if (engine.sharesThreads(false) && !others) {
            LOG.warn("Executors have threads of their own although {} is {}: the topology has chosen how they wait. Remove {}, {} and {}"
                + " from its configuration and from storm.yaml.", EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL,
                Config.TOPOLOGY_BOLT_WAIT_STRATEGY, Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY);
        }
        if (!others && !sharing.containsValue(true)) {
            deadlines.ifPresent(unused -> LOG.warn("{} has no effect, since executors have threads of their own. Set {} to {} or {}.",
                DeadlineConfiguration.TARGET, EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL, EngineConfiguration.AUTO));
            return;
        }
        ExecutorPool pool = new ExecutorPool(cores, TimeUnit.MICROSECONDS.toNanos(engine.quantumUs()),
            TimeUnit.MILLISECONDS.toNanos(engine.blockedMs()), NanoClock.SYSTEM, deadlines.isPresent(), WatchedRings.ofProcess());
        // A producer's batch belongs to its thread; and while executors share threads, tuples come in groups without one.
        for (String batch : List.of(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, Config.TOPOLOGY_TRANSFER_BATCH_SIZE)) {
            seams.inPlaceOf(batch, ObjectReader.getLong(topologyConf.get(batch), 1L), 1);
        }
        seams.startExecutorsBy(next -> request -> sharing.getOrDefault(request.executor().getComponentId(), others)
            && !Time.isSimulating() ? start(pool, request, deadlines) : next.start(request));
        seams.onClose(worker -> pool.close());
    }

    /** Whether the executors of a component share threads. Storm's components for which the topology's value applies have no entry. */
    private static Map<String, Boolean> sharing(Map<String, ComponentCommon> components, Map<String, Object> topologyConf, boolean many) {
        Map<String, Boolean> sharing = new HashMap<>();
        sharing.put(Constants.SYSTEM_COMPONENT_ID, false); // Upstream gives it a wait strategy that parks its thread.
        components.forEach((component, common) -> {
            Map<String, Object> conf = new HashMap<>(topologyConf);
            conf.putAll(OwnConfiguration.of(common));
            sharing.put(component, shares(conf, many));
        });
        return sharing;
    }

    /** The executors of a worker on average, as the topology was submitted; or those of its largest instance behind a stream manager. */
    private static double executorsPerWorker(Collection<ComponentCommon> components, Map<String, Object> topologyConf) {
        StreamConfiguration stream = new StreamConfiguration(topologyConf);
        IntStream executors = components.stream().mapToInt(component -> Math.max(1, Components.executors(component)));
        if (stream.hasStreamManagers()) {
            return Math.min(stream.executorsPerInstance(), executors.max().orElse(1));
        }
        return executors.sum() / (double) Math.max(1, ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_WORKERS), 1));
    }

    private static boolean shares(Map<String, Object> conf, boolean many) {
        return new EngineConfiguration(conf).sharesThreads(many) && WakeOnArrivalFeature.decidesWaits(conf);
    }

    private static Utils.SmartThread start(ExecutorPool pool, ExecutorLoops.Request request, Optional<Deadlines> deadlines) {
        Starting starting = new Starting(pool, request, deadlines);
        Handle thread = new Handle(starting);
        thread.setUncaughtExceptionHandler(request.onDeath());
        thread.setDaemon(request.daemon());
        thread.setName(thread.getName() + "-" + request.threadName());
        if (request.startImmediately()) {
            thread.start();
        }
        return thread;
    }

    /** Makes the body of an executor's loop, which prepares its bolts and may take long, and adds the executor to the pool. */
    private static final class Starting implements Runnable {
        private final ExecutorPool pool;
        private final ExecutorLoops.Request request;
        private final Optional<Deadlines> deadlines;
        private volatile PooledExecutor executor;

        Starting(ExecutorPool pool, ExecutorLoops.Request request, Optional<Deadlines> deadlines) {
            this.pool = pool;
            this.request = request;
            this.deadlines = deadlines;
        }

        @Override
        public void run() {
            try {
                Callable<?> body = request.isFactory() ? (Callable<?>) request.loop().call() : request.loop();
                WakingQueue queue = (WakingQueue) request.executor().getReceiveQueue();
                Urgency urgency = deadlines.map(known -> known.of(request.executor().getComponentId(), queue)).orElse(null);
                PooledExecutor added = new PooledExecutor(pool, Thread.currentThread().getName(), body, request.onDeath(), urgency);
                if (urgency != null) {
                    queue.announceTo(urgency);
                }
                queue.napFor(0);
                queue.wakeBy(added);
                queue.endTurnsWhen(added::endsLook);
                showMetrics(added);
                executor = added;
                if (Thread.interrupted()) {
                    LOG.info("{} was interrupted before it ran, and ends.", request.threadName());
                    return;
                }
                pool.add(added, request.executor() instanceof SpoutExecutor);
            } catch (Exception e) {
                if (Utils.exceptionCauseIsInstanceOf(InterruptedException.class, e)) {
                    LOG.info("{} was interrupted before it ran, and ends.", request.threadName());
                    return;
                }
                throw new IllegalStateException(request.threadName() + " did not start", e);
            }
        }

        private void showMetrics(PooledExecutor added) {
            StormMetricRegistry metrics = request.executor().getWorkerData().getMetricRegistry();
            String component = request.executor().getComponentId();
            int task = request.executor().getTaskIds().get(0);
            // Gauges may be left from an executor that has left the worker and had one of these tasks.
            metrics.deregister(Stream.of(CPU_GAUGE, OUTSIDE_GAUGE).map(metrics.getTaskGauges(task)::get).filter(Objects::nonNull)
                .collect(Collectors.toSet()));
            metrics.gauge(CPU_GAUGE, () -> TimeUnit.NANOSECONDS.toMillis(added.cpuNs()), component, task);
            metrics.gauge(OUTSIDE_GAUGE, () -> pool.hasOwnThread(added) ? 1 : 0, component, task);
        }
    }

    /** Stands for the executor's thread when upstream interrupts and joins that. */
    private static final class Handle extends Utils.SmartThread {
        private final Starting starting;

        Handle(Starting starting) {
            super(starting);
            this.starting = starting;
        }

        @Override
        public void interrupt() {
            super.interrupt();
            PooledExecutor executor = starting.executor;
            try {
                if (executor != null && !executor.stop(STOPS_WITHIN_MS)) {
                    LOG.warn("{} has not ended within {} ms.", getName(), STOPS_WITHIN_MS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
