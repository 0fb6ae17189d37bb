package io.eyewall.client.acking;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.Executors;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.time.NanoClock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.storm.daemon.Acker;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.bolt.BoltExecutor;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Utils;

/**
 * Adds ledgers to a worker, if {@link EngineConfiguration#ACKING} is {@code ledger}. All workers of a topology have the same value.
 */
public final class LedgerAckingFeature implements WorkerFeature {

    @Override
    public String name() {
        return "engine-ledger-acking";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        if (!keepsLedgers(topologyConf)) {
            return;
        }
        CancelledRoots cancelled = seams.common(CancelledRoots.class).orElse(null);
        seams.executors(next -> new LedgerExecutors(next, cancelled));
        seams.pendingMessages(next -> request -> request.executor() instanceof LedgerSpoutExecutor executor
            ? executor.keepPending(request.expired()) : next.messages(request));
        seams.spoutCollectors(next -> request -> request.executor() instanceof LedgerSpoutExecutor executor
            ? new LedgerSpoutCollector(request, executor, LedgerAckingFeature::tupleId) : next.collector(request));
        seams.boltCollectors(next -> request -> request.executor() instanceof LedgerBoltExecutor executor
            ? new LedgerBoltCollector(request, executor, LedgerAckingFeature::tupleId) : next.collector(request));
        seams.outboundTasks(next -> (worker, tasks) -> withLedgers(worker, next.tasks(worker, tasks)));
        if (cancelled != null) {
            seams.outboundTasks(next -> (worker, tasks) -> withBolts(worker, next.tasks(worker, tasks)));
        }
    }

    /**
     * Whether the workers of a topology keep ledgers. The topology's own configuration decides, into which {@link LedgerAgreement} writes
     * the value. A topology without a value was submitted by upstream's client and may have workers of upstream's, except in local mode. A
     * tracked topology of Storm's test support counts the messages of its own acker, so it must have ackers.
     */
    public static boolean keepsLedgers(Map<String, Object> topologyConf) {
        return new EngineConfiguration(topologyConf).wantsLedger()
            && (topologyConf.containsKey(EngineConfiguration.ACKING) || ConfigUtils.isLocalMode(topologyConf))
            && StormCommon.hasAckers(topologyConf)
            && StormCommon.makeAckerBolt() instanceof Acker;
    }

    /** A random number of the calling thread's own source: bolts may emit from any thread, and would wait for a shared source. */
    private static long tupleId() {
        return ThreadLocalRandom.current().nextLong();
    }

    private static Set<Integer> spoutTasks(WorkerState worker) {
        Set<Integer> tasks = new HashSet<>();
        worker.getTaskToComponent().forEach((task, component) -> {
            if (worker.getTopology().get_spouts().containsKey(component)) {
                tasks.add(task);
            }
        });
        return tasks;
    }

    /** Adds the spouts' tasks if the worker has a bolt: any spout may be the root of the tuples that the bolt gets. */
    private static Set<Integer> withLedgers(WorkerState worker, Set<Integer> tasks) {
        if (worker.getLocalTaskIds().stream().anyMatch(task -> isUsersBolt(worker, task))) {
            tasks.addAll(spoutTasks(worker));
        }
        return tasks;
    }

    /** Adds the bolts' tasks if the worker has a spout, which sends its cancelled trees to all workers with bolts. */
    private static Set<Integer> withBolts(WorkerState worker, Set<Integer> tasks) {
        Set<Integer> spoutTasks = spoutTasks(worker);
        if (worker.getLocalTaskIds().stream().anyMatch(spoutTasks::contains)) {
            worker.getTaskToComponent().keySet().stream().filter(task -> isUsersBolt(worker, task)).forEach(tasks::add);
        }
        return tasks;
    }

    /** Bolts of Storm's own receive no tuple of a tree. */
    private static boolean isUsersBolt(WorkerState worker, int task) {
        String component = worker.getTaskToComponent().get(task);
        return component != null && !Utils.isSystemId(component) && worker.getTopology().get_bolts().containsKey(component);
    }

    private record LedgerExecutors(Executors next, CancelledRoots cancelled) implements Executors {

        @Override
        public SpoutExecutor spoutExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials) {
            return new LedgerSpoutExecutor(worker, executorId, credentials, cancelled == null ? null : new CancelledTrees(
                worker.getWorkerTopologyContext(), executorId.get(0).intValue(), task -> isUsersBolt(worker, task), cancelled));
        }

        @Override
        public BoltExecutor boltExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials) {
            if (!isUsersBolt(worker, executorId.get(0).intValue())) {
                return next.boltExecutor(worker, executorId, credentials);
            }
            LedgerBoltExecutor executor =
                new LedgerBoltExecutor(worker, executorId, credentials, spoutTasks(worker), cancelled, NanoClock.SYSTEM);
            if (cancelled != null) {
                ((ProbedQueue) executor.getReceiveQueue()).addEyewallProbe(new CancelNotice(cancelled));
            }
            return executor;
        }
    }
}
