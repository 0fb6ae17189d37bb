package io.eyewall.client.hot;

import io.eyewall.client.seam.DrainableTransport;
import io.eyewall.client.seam.Groupings;
import io.eyewall.client.seam.WorkerSeams;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.messaging.IContext;

/** The groupings of a process that may be one of several in its slot: local-or-shuffle prefers the tasks of the slot. */
final class SlotGroupings {

    /** Null if the process is a worker by itself, and before its transfer has been made. */
    private DrainableTransport transport;
    private volatile TaskPlacement placement = TaskPlacement.UNKNOWN;

    /** Puts them into a worker's seams. */
    static void join(WorkerSeams.Builder seams) {
        SlotGroupings groupings = new SlotGroupings();
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            WorkerTransfer transfer = next.transfer(worker, conf, maxTaskId);
            groupings.sendsOver(WorkerConnections.transport(worker));
            return transfer;
        });
        seams.groupings(groupings::of);
    }

    /** The worker has this transport. Its groupings are made after that. */
    void sendsOver(IContext context) {
        transport = context instanceof DrainableTransport drainable ? drainable : null;
    }

    /** Decorates groupings. */
    Groupings of(Groupings next) {
        return request -> transport != null && ExecutorShuffle.isLocalOrShuffle(request)
            ? new ExecutorShuffle(request, next, this::placement) : next.grouping(request);
    }

    private TaskPlacement placement() {
        Set<Integer> tasks = transport.slotTasks();
        TaskPlacement last = placement;
        if (last.local() != tasks) {
            last = new TaskPlacement(Optional.empty(), tasks, Map.of());
            placement = last;
        }
        return last;
    }
}
