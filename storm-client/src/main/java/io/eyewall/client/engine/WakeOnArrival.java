package io.eyewall.client.engine;

import io.eyewall.client.seam.MovableParts;
import io.eyewall.client.seam.WakingEmits;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.time.NanoClock;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.executor.spout.SpoutExecutor;

/**
 * Waking on arrival joins a worker here: {@link EngineConfiguration#WAKE_ON_ARRIVAL} switches it on and off. A worker whose executors
 * change has such queues either way, for they give back an executor that is to leave.
 */
public final class WakeOnArrival implements WorkerFeature {

    private static final String UPSTREAM_WAIT = "org.apache.storm.policy.WaitStrategyProgressive";
    private static final long UPSTREAM_QUEUE_TUPLES = 32_768;
    /** What executors take within the time that it costs to wake who waits for room, with a good margin. More only waits for longer. */
    private static final long QUEUE_TUPLES = 8_192;

    @Override
    public String name() {
        return "engine-wake-on-arrival";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        EngineConfiguration engine = new EngineConfiguration(topologyConf);
        if (!engine.wakeOnArrival()) {
            if (engine.changesExecutors()) {
                seams.receiveQueues(next -> request -> new ArrivalQueue(request, false, new Room()));
            }
            return;
        }
        Senders senders = seams.common(Senders.class, () -> new Senders(NanoClock.SYSTEM));
        seams.receiveQueues(next -> request -> new ArrivalQueue(request, true, new Room(senders::tell)));
        seams.transferQueues(next -> request -> new ArrivalQueue(request, true, new Room()));
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            senders.sendTo((MovableParts) worker);
            return new ArrivalTransfer(worker, conf, maxTaskId);
        });
        seams.receivers(next -> request -> senders.over(next.receiver(senders.greetingTwice(request))));
        seams.onClose(worker -> senders.close());
        seams.executorLoops(PendingEmits::sentWhileInactive);
        seams.executorLoops(next -> request -> {
            if (request.executor().getReceiveQueue() instanceof ArrivalQueue queue) {
                if (request.executor() instanceof SpoutExecutor) {
                    queue.napFor(ParkingWait.OfSpouts.ASKED);
                }
                if (request.executor().getPendingEmits() instanceof WakingEmits emits) {
                    queue.wakeForEmits(emits);
                }
            }
            return next.start(request);
        });
        seams.inPlaceOf(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY, UPSTREAM_WAIT, RoomWait.class.getName());
        if (RoomWait.class.getName().equals(topologyConf.get(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY))) {
            seams.inPlaceOf(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, UPSTREAM_QUEUE_TUPLES, QUEUE_TUPLES);
        }
        seams.inPlaceOf(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, UPSTREAM_WAIT, ParkingWait.OfBolts.class.getName());
        seams.inPlaceOf(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, UPSTREAM_WAIT, ParkingWait.OfSpouts.class.getName());
    }
}
