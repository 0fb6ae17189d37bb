package io.eyewall.client.pool;

import io.eyewall.client.deadline.Deadlines;
import io.eyewall.client.deadline.Urgency;
import io.eyewall.client.engine.EngineConfiguration;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.generated.ComponentCommon;
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
    /** With more executors per core than this, sharing threads is faster: measured in design/005. */
    private static final int MANY_PER_CORE = 8;

    @Override
    public String name() {
        return "engine-executor-pool";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        EngineConfiguration engine = new EngineConfiguration(topologyConf);
        int cores = Runtime.getRuntime().availableProcessors();
        Optional<Deadlines> deadlines = seams.common(Deadlines.class);
        boolean many = deadlines.isPresent()
            || executorsPerWorker(Components.of(seams.topology()).values(), topologyConf) > MANY_PER_CORE * cores;
        boolean others = engine.sharesThreads(many);
        Map<String, Boolean> sharing = new HashMap<>(); // Without Storm's own components that have the topology's value.
        sharing.put(Constants.SYSTEM_COMPONENT_ID, false); // Upstream gives it a wait strategy that parks its thread.
        EngineConfiguration.ofComponents(seams.topology(), topologyConf)
            .forEach((component, its) -> sharing.put(component, its.sharesThreads(many)));
        if (engine.wantsPool() && !others) {
            LOG.warn("{} is {}, but executors have threads of their own: {}.", EngineConfiguration.EXECUTOR_THREADS,
                EngineConfiguration.POOL, String.join(", ", engine.remediesForOwnThreads()));
        }
        if (!others && !sharing.containsValue(true)) {
            return;
        }
        ExecutorPool pool = new ExecutorPool(cores, TimeUnit.MICROSECONDS.toNanos(engine.quantumUs()),
            TimeUnit.MILLISECONDS.toNanos(engine.blockedMs()), NanoClock.SYSTEM,
            deadlines.<LongConsumer>map(its -> its::passed).orElse(null), WatchedRings.ofProcess());
        // A producer's batch belongs to its thread; and while executors share threads, tuples come in groups without one.
        for (String batch : List.of(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, Config.TOPOLOGY_TRANSFER_BATCH_SIZE)) {
            seams.inPlaceOf(batch, ObjectReader.getLong(topologyConf.get(batch), 1L), 1);
        }
        Predicate<String> shares = component -> sharing.getOrDefault(component, others) && !Time.isSimulating();
        deadlines.ifPresent(its -> seams.onStart(worker -> LOG.info("Deadlines order the turns of executors {}", its.inWords())));
        seams.onStart(worker -> LOG.info("Executors that share threads: {}; threads: {}.", worker.getLocalExecutors().stream()
            .map(executor -> worker.getTaskToComponent().getOrDefault(executor.get(0).intValue(), Constants.SYSTEM_COMPONENT_ID))
            .filter(shares).count(), cores));
        seams.startExecutorsBy(next -> request -> shares.test(request.executor().getComponentId()) ? start(pool, request, deadlines)
            : next.start(request));
        seams.onClose(worker -> pool.close());
    }

    /** The executors of a worker on average, as the topology was submitted; or those of its largest instance behind a stream manager. */
    private static double executorsPerWorker(Collection<ComponentCommon> components, Map<String, Object> topologyConf) {
        if (new StreamConfiguration(topologyConf).hasStreamManagers()) {
            return components.stream().mapToInt(component -> Math.min(executors(component),
                new StreamConfiguration(OwnConfiguration.over(topologyConf, component)).executorsPerInstance())).max().orElse(1);
        }
        int all = components.stream().mapToInt(ExecutorPoolFeature::executors).sum();
        return all / (double) Math.max(1, ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_WORKERS), 1));
    }

    private static int executors(ComponentCommon component) {
        return Math.max(1, Components.executors(component));
    }

    private static Utils.SmartThread start(ExecutorPool pool, ExecutorLoops.Request request, Optional<Deadlines> deadlines) {
        ExecutorHandle thread = new ExecutorHandle(pool, () -> executor(pool, request, deadlines),
            request.executor() instanceof SpoutExecutor, request.threadName());
        thread.setUncaughtExceptionHandler(request.onDeath());
        thread.setDaemon(request.daemon());
        if (request.startImmediately()) {
            thread.start();
        }
        return thread;
    }

    /** Makes the body of an executor's loop, and the executor; on the thread that has its name. */
    private static PooledExecutor executor(ExecutorPool pool, ExecutorLoops.Request request, Optional<Deadlines> deadlines)
            throws Exception {
        Callable<?> body = request.isFactory() ? (Callable<?>) request.loop().call() : request.loop();
        Executor storms = request.executor();
        WakingQueue queue = (WakingQueue) storms.getReceiveQueue();
        Urgency urgency = deadlines.map(known -> known.of(storms.getComponentId(), queue)).orElse(null);
        PooledExecutor made = new PooledExecutor(pool, Thread.currentThread().getName(), body, request.onDeath(), urgency);
        if (urgency != null) {
            queue.announceTo(urgency);
        }
        queue.napFor(0);
        queue.wakeBy(made);
        queue.endTurnsWhen(made::endsLook);
        ExecutorGauges.register(storms.getWorkerData().getMetricRegistry(), storms.getComponentId(), storms.getTaskIds().get(0), pool,
            made);
        return made;
    }
}
