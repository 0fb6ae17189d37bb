package io.eyewall.client.hot;

import io.eyewall.client.engine.ArrivalQueue;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.ExecutorLoops;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.HashSet;
import java.util.Map;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.utils.ConfigUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changing the executors of a running worker joins it here: {@link EngineConfiguration#HOT_REBALANCE} switches it on and off.
 */
public final class HotRebalance implements WorkerFeature {

    private static final Logger LOG = LoggerFactory.getLogger(HotRebalance.class);

    /** Behind the others, so that it sees the loops and maps that they make, and whether one of them needs the executors to stay. */
    @Override
    public String name() {
        return "rebalance-hot";
    }

    /** A topology whose configuration does not say has come from upstream's client, perhaps to workers of upstream's. */
    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        if (!topologyConf.containsKey(EngineConfiguration.HOT_REBALANCE) || !new EngineConfiguration(topologyConf).hotRebalance()
            || ConfigUtils.isLocalMode(topologyConf)) {
            return;
        }
        if (seams.fixedReason().isPresent()) {
            LOG.info("This worker restarts when its executors change, since {}.", seams.fixedReason().get());
            return;
        }
        if (!new EngineConfiguration(topologyConf).wakeOnArrival()) {
            seams.receiveQueues(next -> ArrivalQueue::wakingNobody);
        }
        HotWorker hot = new HotWorker(topologyConf, System::nanoTime);
        seams.workerChange(next -> hot);
        seams.outboundTasks(next -> (worker, tasks) -> new HashSet<>(worker.getTaskToComponent().keySet()));
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            WorkerTransfer transfer = next.transfer(worker, conf, maxTaskId);
            hot.transferMade(worker, transfer);
            return transfer;
        });
        seams.executorLoops(next -> request -> next.start(new ExecutorLoops.Request(request.executor(),
            hot.loop(request.executor(), request.loop()), request.daemon(), request.onDeath(), request.priority(),
            request.isFactory(), request.startImmediately(), request.threadName())));
        seams.pendingMessages(next -> request -> hot.keeping(request.executor(), next.messages(request)));
        seams.taskObjects(next -> (task, object) -> {
            Object decorated = next.taskObject(task, object);
            hot.taskObjectMade(task.getTaskId(), object, decorated);
            return decorated;
        });
        seams.groupings(next -> request -> LocalityGrouping.isAbout(request)
            && hot.isPossible() ? new LocalityGrouping(request, hot::localTasks) : next.grouping(request));
        seams.onClose(worker -> hot.close());
    }
}
