package io.eyewall.client.seam.woven;

import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.WorkerTopologyContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry of woven code in workers: finds the seams of the worker that calls. Not for use by features.
 *
 * <p>A process may run several workers (local mode does), so the seams are kept by topology id and port from the moment a worker makes its
 * queues until it closes its resources. Before and after that its seams return upstream's own objects. Safe for use by any thread; nothing
 * here is called per tuple.
 */
public final class SeamEntry {

    private static final Logger LOG = LoggerFactory.getLogger(SeamEntry.class);

    private static final List<WorkerFeature> FEATURES = ServiceLoader.load(WorkerFeature.class, SeamEntry.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(WorkerFeature::name))
        .toList();

    /** The seams of a worker that never made its queues: a test has put it together by hand. */
    private static final WorkerSeams UPSTREAM = WorkerSeams.of(List.of(), new StormTopology(), Map.of());

    private static final Map<WorkerKey, WorkerSeams> OPEN = new ConcurrentHashMap<>();

    private SeamEntry() {
    }

    /** A worker is about to make its first queue, for these executors, from which some may be removed. */
    public static void open(WorkerState worker, Map<String, Object> topologyConf, Set<List<Long>> executors) {
        if (!FEATURES.isEmpty()) {
            LOG.info("Features that this worker can have, each on or off by its keys: {}",
                FEATURES.stream().map(WorkerFeature::name).collect(Collectors.joining(", ")));
        }
        WorkerSeams seams = WorkerSeams.of(FEATURES, worker.getTopology(), topologyConf);
        OPEN.put(new WorkerKey(worker.getTopologyId(), worker.getPort()), seams);
        seams.workerChange().starting(worker, executors);
    }

    /** A worker has stopped its executors and closed its connections. */
    public static void close(WorkerState worker) {
        WorkerSeams seams = OPEN.remove(new WorkerKey(worker.getTopologyId(), worker.getPort()));
        if (seams != null) {
            seams.close(worker);
        }
    }

    /** The seams of a worker. */
    public static WorkerSeams of(WorkerState worker) {
        return of(worker.getTopologyId(), worker.getPort());
    }

    /** The seams of the worker that a context describes. */
    public static WorkerSeams of(WorkerTopologyContext context) {
        return of(context.getStormId(), context.getThisWorkerPort());
    }

    /** The seams of the worker of a topology on a port of this host; the port is null if a test has put the context together by hand. */
    static WorkerSeams of(String topologyId, Integer port) {
        return OPEN.getOrDefault(new WorkerKey(topologyId, port), UPSTREAM);
    }

    /**
     * The seams of a worker that has started.
     *
     * @throws IllegalStateException if it has not opened its seams, and so runs with upstream's objects
     */
    static WorkerSeams ofStarted(String topologyId, Integer port) {
        WorkerSeams seams = of(topologyId, port);
        if (seams == UPSTREAM) {
            throw new IllegalStateException("The worker of " + topologyId + " on port " + port + " has started without its seams:"
                + " storm-client was woven from an upstream version in which a worker starts differently.");
        }
        return seams;
    }

    private record WorkerKey(String topologyId, Integer port) {
    }
}
