package io.eyewall.client.engine;

import io.eyewall.client.frame.FrameWires;
import io.eyewall.client.frame.FramedMessages;
import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.seam.FrameTransport;
import io.eyewall.client.seam.WakingEmits;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.seam.WorkerStateAccess;
import io.eyewall.client.substitute.LoggedDrops;
import io.eyewall.client.time.NanoClock;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.messaging.IContext;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds waking on arrival to a worker, if {@link EngineConfiguration#WAKE_ON_ARRIVAL} is on. A worker whose executors may change has such
 * queues in any case, since only their consumers can be asked to return when an executor must leave.
 */
public final class WakeOnArrivalFeature implements WorkerFeature {

    static final String UPSTREAM_WAIT = "org.apache.storm.policy.WaitStrategyProgressive";

    private static final Logger LOG = LoggerFactory.getLogger(WakeOnArrivalFeature.class);

    private static final long UPSTREAM_QUEUE_TUPLES = 32_768;
    /**
     * The capacity of a queue: more tuples than an executor takes while a waiting producer wakes up. In a longer queue tuples only wait
     * longer.
     */
    private static final long QUEUE_TUPLES = 8_192;

    /**
     * Logs why frames do not go through shared memory although the topology asks for that.
     *
     * @param noEpoll why Netty's native epoll cannot be used, which the doorbell of a ring between workers needs; null if it can
     */
    public static void logObstacleToSharedMemory(EngineConfiguration engine, Throwable noEpoll) {
        engine.obstacleToSharedMemory(noEpoll).ifPresent(obstacle ->
            LOG.warn("No frames go through shared memory, since {}. {} has no effect on this worker: remove that cause, or set the key to"
                + " off.", obstacle, EngineConfiguration.SHARED_MEMORY));
    }

    @Override
    public String name() {
        return "engine-wake-on-arrival";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        FormerWaitStrategies.replace(seams, topologyConf);
        EngineConfiguration engine = new EngineConfiguration(topologyConf);
        if (!engine.wakeOnArrival()) {
            logObstacleToSharedMemory(engine, null);
            if (engine.changesExecutors()) {
                seams.receiveQueues(next -> request -> new WakingQueue(request, false, new SpaceSignal()));
            }
            return;
        }
        boolean sharesMemory = engine.sharesMemory() && Epoll.isAvailable();
        BackPressureNotifier notifier = BackPressureNotifier.of(seams);
        seams.receiveQueues(next -> request -> new WakingQueue(request, true, new SpaceSignal(notifier::requestReport)));
        seams.transferQueues(next -> request -> new WakingQueue(request, true, new SpaceSignal()));
        FrameWires wires = seams.common(FrameWires.class).orElse(FrameWires.NONE);
        LoggedDrops drops = seams.common(LoggedDrops.class, LoggedDrops::new);
        seams.transfersInPlaceOfUpstreams((worker, conf, maxTaskId) -> {
            notifier.setTracker(((WorkerStateAccess) worker)::getBpTracker);
            IContext transport = WorkerConnections.transport(worker);
            logObstacleToSharedMemory(engine, transport instanceof ClientLoops ? Epoll.unavailabilityCause() : null);
            boolean framed = engine.sendsFrames() && (transport instanceof ClientLoops || transport instanceof FrameTransport);
            return framed ? new FramedTransfer(worker, conf, maxTaskId, wires, drops, NanoClock.SYSTEM, sharesMemory)
                : new WakingTransfer(worker, conf, maxTaskId, NanoClock.SYSTEM);
        });
        seams.receivers(next -> request -> notifier.start(next.receiver(
            notifier.reportingAgain(FramedMessages.announcing(request, sharesMemory)))));
        seams.onClose(worker -> notifier.close());
        seams.executorLoops(PendingEmits::sentWhileInactive);
        Map<String, BoltLoop> loops = BoltLoop.of(seams.topology());
        seams.onLeave((tasks, queue) -> loops.values().forEach(loop -> loop.remove(queue)));
        seams.executorLoops(next -> request -> {
            if (request.executor().getReceiveQueue() instanceof WakingQueue queue) {
                if (request.executor() instanceof SpoutExecutor) {
                    queue.napFor(ParkingWaitStrategy.OfSpouts.ASKED);
                }
                if (request.executor().getPendingEmits() instanceof WakingEmits emits) {
                    queue.wakeForEmits(emits);
                }
                BoltLoop loop = loops.get(request.executor().getComponentId());
                if (loop != null) {
                    queue.join(loop);
                }
            }
            return next.start(request);
        });
        seams.inPlaceOf(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY, UPSTREAM_WAIT, FullQueueWaitStrategy.class.getName());
        if (FullQueueWaitStrategy.class.getName().equals(topologyConf.get(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY))) {
            seams.inPlaceOf(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, UPSTREAM_QUEUE_TUPLES, QUEUE_TUPLES);
        }
        seams.inPlaceOf(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, UPSTREAM_WAIT, ParkingWaitStrategy.OfBolts.class.getName());
        seams.inPlaceOf(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, UPSTREAM_WAIT, ParkingWaitStrategy.OfSpouts.class.getName());
    }
}
