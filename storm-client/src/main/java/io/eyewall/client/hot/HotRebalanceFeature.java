package io.eyewall.client.hot;

import io.eyewall.client.engine.BackPressureNotifier;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.engine.WakingTransfer;
import io.eyewall.client.seam.DrainableTransport;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.time.NanoClock;
import java.util.HashSet;
import java.util.Map;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerTransfer;

/**
 * Lets the executors of a worker change while it runs, if {@link EngineConfiguration#HOT_REBALANCE} is on. Otherwise they can end with the
 * worker without losing tuples, if its transport asks for that, and know the tasks of its slot.
 */
public final class HotRebalanceFeature implements WorkerFeature {

    /** Behind the others, so that it sees the loops, maps and groupings that they make. */
    @Override
    public String name() {
        return "rebalance-hot";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        EngineConfiguration engine = new EngineConfiguration(topologyConf);
        if (!engine.changesExecutors()) {
            SlotGroupings.join(seams);
            if (engine.wakeOnArrival()) {
                drain(seams, new DrainedExecutors(topologyConf));
            }
            return;
        }
        HotWorker hot = new HotWorker(topologyConf, NanoClock.SYSTEM, BackPressureNotifier.of(seams));
        seams.workerChange(next -> hot);
        seams.outboundTasks(next -> (worker, tasks) -> new HashSet<>(worker.getTaskToComponent().keySet()));
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            WorkerTransfer transfer = next.transfer(worker, conf, maxTaskId);
            hot.transferMade(worker, transfer);
            return transfer;
        });
        seams.executorLoops(next -> request -> next.start(request.withLoop(hot.changes().loop(request.executor(), request.loop()))));
        seams.pendingMessages(next -> request -> hot.changes().keeping(request.executor(), next.messages(request)));
        seams.taskObjects(next -> (task, object) -> {
            Object decorated = next.taskObject(task, object);
            hot.taskObjectMade(task.getTaskId(), object, decorated);
            return decorated;
        });
        seams.groupings(next -> request -> ExecutorShuffle.isAbout(request)
            && hot.isPossible() ? new ExecutorShuffle(request, next, () -> hot.changes().placement()) : next.grouping(request));
        seams.onClose(worker -> hot.close());
    }

    /** Lets executors end with a worker that is asked to end by its transport. */
    private static void drain(WorkerSeams.Builder seams, DrainedExecutors drained) {
        seams.workerChange(next -> drained);
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            WorkerTransfer transfer = next.transfer(worker, conf, maxTaskId);
            if (transfer instanceof WakingTransfer waking && WorkerConnections.transport(worker) instanceof DrainableTransport transport) {
                drained.transferMade(transport, waking::hasSentAll);
            }
            return transfer;
        });
        seams.executorLoops(next -> request -> next.start(request.withLoop(drained.loop(request.executor(), request.loop()))));
        seams.pendingMessages(next -> request -> drained.keeping(request.executor().getExecutorId(), next.messages(request)));
        seams.taskObjects(next -> (task, object) -> {
            Object decorated = next.taskObject(task, object);
            drained.taskObjectMade(task.getTaskId(), object, decorated);
            return decorated;
        });
    }
}
