package io.eyewall.tail.replay;

import io.eyewall.client.acking.CancelledRoots;
import io.eyewall.client.acking.TreeCanceller;
import io.eyewall.client.seam.ExecutorLoops;
import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TaskObjects;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.time.NanoClock;
import io.eyewall.tail.auto.TechniqueSwitches;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.executor.Executor;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.ISpout;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the adaptive timeout to a worker, if {@link ReplayConfiguration#ADAPTIVE_TIMEOUT} is on or the worker is to switch it while it runs.
 * Checks its keys at submission.
 */
public final class AdaptiveReplayFeature implements WorkerFeature, TopologySubmission {

    private static final Logger LOG = LoggerFactory.getLogger(AdaptiveReplayFeature.class);

    /** The prefix of the spouts that coordinate Trident's batches and the checkpoints of stateful bolts. */
    private static final String COORDINATOR = "$";

    @Override
    public String name() {
        return "adaptive-timeout";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        ReplayConfiguration configuration = new ReplayConfiguration(topologyConf);
        TechniqueSwitches tail = TechniqueSwitches.of(seams, topologyConf);
        boolean ordered = tail.takesOrders(ReplayConfiguration.ADAPTIVE_TIMEOUT);
        boolean switched = ordered || tail.decides(ReplayConfiguration.ADAPTIVE_TIMEOUT);
        if (!(configuration.isOn() || switched) || !StormCommon.hasAckers(topologyConf)) {
            return;
        }
        if (StormCommon.hasEventLoggers(topologyConf)) {
            LOG.warn("No message is replayed, since event loggers would get the ids by which Storm knows instances. Set {} to 0, or {} to"
                + " false.", Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, ReplayConfiguration.ADAPTIVE_TIMEOUT);
            return;
        }
        Map<Integer, ReplayingSpout> byTask = new ConcurrentHashMap<>();
        BooleanSupplier on = ordered ? tail.ordered(seams, ReplayConfiguration.ADAPTIVE_TIMEOUT)::isOn
            : switched ? tail.adaptiveTimeout()::isOn : () -> true;
        if (configuration.cancels()) {
            long lifetimeNs = TimeUnit.SECONDS.toNanos(ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS)));
            seams.common(CancelledRoots.class, () -> new CancelledRoots(NanoClock.SYSTEM, lifetimeNs));
        }
        seams.taskObjects(next -> decorated(next, configuration, on, byTask));
        seams.executorLoops(next -> request -> next.start(replaying(request, byTask)));
    }

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) throws InvalidTopologyException {
        try {
            new ReplayConfiguration(clientConf);
        } catch (IllegalArgumentException e) {
            throw new WrappedInvalidTopologyException(e.getMessage());
        }
    }

    private static TaskObjects decorated(TaskObjects next, ReplayConfiguration configuration, BooleanSupplier on,
            Map<Integer, ReplayingSpout> byTask) {
        return (task, taskObject) -> {
            Object object = next.taskObject(task, taskObject);
            String component = task.getComponentId();
            if (!(object instanceof ISpout spout) || Utils.isSystemId(component)) {
                return object;
            }
            if (component.startsWith(COORDINATOR)) {
                LOG.info("The messages of spout {} are not replayed: they are the batches of a transaction.", component);
                return object;
            }
            ReplayingSpout replaying = ReplayingSpout.of(spout, configuration, on, NanoClock.SYSTEM);
            byTask.put(task.getTaskId(), replaying);
            return replaying;
        };
    }

    private static ExecutorLoops.Request replaying(ExecutorLoops.Request request, Map<Integer, ReplayingSpout> byTask) {
        Executor executor = request.executor();
        List<ReplayingSpout> spouts = executor.getTaskIds().stream().map(byTask::get).filter(Objects::nonNull).toList();
        if (spouts.isEmpty()) {
            return request;
        }
        if (executor instanceof TreeCanceller canceller) {
            spouts.forEach(spout -> spout.cancelWith(canceller));
        }
        return request.withBody(body -> body(body, executor, spouts));
    }

    /** Also runs while the spout may not emit new messages, but not while its pending emits wait for space. */
    private static Callable<Object> body(Callable<?> body, Executor executor, List<ReplayingSpout> spouts) {
        return () -> {
            if (executor.getPendingEmits().isEmpty()) {
                for (int i = 0; i < spouts.size(); i++) {
                    spouts.get(i).replay();
                }
            }
            return body.call();
        };
    }
}
