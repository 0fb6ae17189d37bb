package io.eyewall.web.history;

import io.eyewall.client.settings.tail.LatencyAccess;
import io.eyewall.core.pressure.ExecutorQueue;
import io.eyewall.core.watch.MessageLatencies;
import io.eyewall.core.watch.MessageLatencies.Percentiles;
import io.eyewall.core.watch.WorkerFigures;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.WorkerSummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What workers say about their JVMs, messages and queues. Each look takes what they have answered since the look before, and asks them
 * again, so that nobody waits for a worker. So many are asked in a round; what is beyond that has no such figures. For one thread.
 */
final class WorkerWatch {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerWatch.class);
    private static final int MAX_ASKED = 500;
    private static final double STEP_MS = TimeUnit.SECONDS.toMillis(Tier.FINE.stepSecs());

    private final Source source;
    private final Map<String, Map<String, Worker>> topologies = new HashMap<>();
    /** The ports of endpoints by topology, which do not change while it runs; negative where workers have none. */
    private final Map<String, Integer> offsets = new HashMap<>();
    private int asked;

    WorkerWatch(Source source) {
        this.source = source;
    }

    /** Who asks workers. */
    @FunctionalInterface
    interface Source {

        /** The text of a page of the endpoint at a port of a host. */
        CompletableFuture<String> ask(String host, int port, String page);
    }

    /**
     * What the workers of a topology said.
     *
     * @param jvms of those that have answered, by HOST:PORT
     * @param latencies null if no message has ended
     * @param queues of their components
     */
    record Seen(SortedMap<String, Sample.Jvm> jvms, Percentiles latencies, SortedMap<String, Sample.Queue> queues) {

        static final Seen NOTHING = new Seen(new TreeMap<>(), null, new TreeMap<>());
    }

    /** One worker: what it said last, and what it has been asked. */
    private static final class Worker {

        private WorkerFigures figures;
        private CompletableFuture<String> pending;
        private CompletableFuture<String> pendingQueues;
    }

    /** Begins a round, in which these topologies run. */
    void begin(Set<String> running) {
        topologies.keySet().retainAll(running);
        offsets.keySet().retainAll(running);
        asked = 0;
    }

    /** Takes what the workers of a topology have answered, and asks them again. */
    Seen look(TopologyPageInfo page) {
        String id = page.get_id();
        int offset = offsets.computeIfAbsent(id, each -> offset(page.get_topology_conf()));
        if (offset < 0 || !page.is_set_workers()) {
            return Seen.NOTHING;
        }
        Map<String, Worker> before = topologies.getOrDefault(id, Map.of());
        Map<String, Worker> now = new HashMap<>();
        SortedMap<String, Sample.Jvm> jvms = new TreeMap<>();
        SortedMap<String, Sample.Queue> queues = new TreeMap<>();
        MessageLatencies latencies = new MessageLatencies();
        for (WorkerSummary summary : page.get_workers()) {
            String name = summary.get_host() + ":" + summary.get_port();
            Worker worker = before.getOrDefault(name, new Worker());
            now.put(name, worker);
            take(id, name, worker, jvms, latencies);
            takeQueues(id, name, worker, queues);
            if (worker.pending == null && worker.pendingQueues == null && asked < MAX_ASKED) {
                asked++;
                worker.pending = source.ask(summary.get_host(), summary.get_port() + offset, WorkerFigures.PAGE);
                worker.pendingQueues = source.ask(summary.get_host(), summary.get_port() + offset, ExecutorQueue.PAGE);
            }
        }
        topologies.put(id, now);
        return new Seen(jvms, latencies.percentiles().orElse(null), queues);
    }

    private static void take(String id, String name, Worker worker, SortedMap<String, Sample.Jvm> jvms, MessageLatencies latencies) {
        if (worker.pending == null || !worker.pending.isDone()) {
            return;
        }
        CompletableFuture<String> answer = worker.pending;
        worker.pending = null;
        try {
            WorkerFigures now = WorkerFigures.parse(answer.join(), id);
            WorkerFigures before = now.follows(worker.figures) ? worker.figures : null;
            double passedMs = before == null ? Double.NaN : now.timeMs() - before.timeMs();
            jvms.put(name, new Sample.Jvm(now.heapUsedBytes(), now.heapMaxBytes(),
                before == null ? Double.NaN : (now.cpuMs() - before.cpuMs()) / passedMs,
                before == null ? Double.NaN : (now.gcMs() - before.gcMs()) / passedMs));
            if (worker.figures != null) {
                latencies.add(before, now);
            }
            worker.figures = now;
        } catch (CompletionException | IllegalArgumentException e) {
            LOG.debug("The worker {} of {} has no figures", name, id, e);
        }
    }

    /** Adds the fullest queue of each component, without Storm's own. */
    private static void takeQueues(String id, String name, Worker worker, SortedMap<String, Sample.Queue> queues) {
        if (worker.pendingQueues == null || !worker.pendingQueues.isDone()) {
            return;
        }
        CompletableFuture<String> answer = worker.pendingQueues;
        worker.pendingQueues = null;
        try {
            for (ExecutorQueue queue : ExecutorQueue.parse(answer.join(), id, "", 0)) {
                if (!Utils.isSystemId(queue.component())) {
                    double held = Math.min(1, queue.fullMs() / STEP_MS);
                    queues.merge(queue.component(), new Sample.Queue(queue.load(), held), Sample.Queue::highest);
                }
            }
        } catch (CompletionException | IllegalArgumentException e) {
            LOG.debug("The worker {} of {} does not describe its queues", name, id, e);
        }
    }

    private static int offset(String configuration) {
        Map<String, Object> conf = new HashMap<>();
        if (JSONValue.parse(configuration) instanceof Map<?, ?> all) {
            all.forEach((key, value) -> conf.put(String.valueOf(key), value));
        }
        LatencyAccess access = LatencyAccess.of(conf);
        return access.isPossible() ? access.endpointPortOffset() : -1;
    }
}
