package io.eyewall.tail.shared;

import com.codahale.metrics.Gauge;
import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.deadline.Deadlines;
import io.eyewall.client.engine.BackPressureNotifier;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.tail.auto.TechniqueSwitch;
import io.eyewall.tail.auto.TechniqueSwitches;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.Constants;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds shared executor queues to a worker, if {@link SharingConfiguration#EXECUTOR_QUEUE} is {@code shared} for the topology or for a bolt,
 * and checks that key at submission. A topology with deadlines keeps a queue for each executor: only there do urgent tuples go first.
 */
public final class SharedQueuesFeature implements WorkerFeature, TopologySubmission {

    private static final Logger LOG = LoggerFactory.getLogger(SharedQueuesFeature.class);

    @Override
    public String name() {
        return "executor-queues";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        StormTopology topology = seams.topology();
        Set<String> sharing = new HashSet<>(SharingBolts.sharing(topologyConf, topology));
        if (seams.common(Deadlines.class).isPresent()) {
            if (!sharing.isEmpty()) { // It was not refused at submission.
                LOG.warn("{} is ignored for the bolts {}: executors with deadlines ({}, {}) have queues of their own.",
                    SharingConfiguration.EXECUTOR_QUEUE, sharing, DeadlineConfiguration.TARGET, DeadlineConfiguration.POLICY);
            }
            return;
        }
        TechniqueSwitches tail = TechniqueSwitches.of(seams, topologyConf);
        Set<String> switched = topology.get_bolts().keySet().stream()
            .filter(component -> tail.decides(SharingConfiguration.EXECUTOR_QUEUE) && SharingBolts.could(topology, component))
            .collect(Collectors.toSet());
        sharing.addAll(switched);
        if (sharing.isEmpty()) {
            return;
        }
        boolean wakesOnArrival = new EngineConfiguration(topologyConf).wakeOnArrival();
        Map<String, SharedTuples> shared = new HashMap<>();
        BackPressureNotifier notifier = BackPressureNotifier.of(seams);
        seams.receiveQueues(next -> request -> {
            if (!sharing.contains(request.componentId())) {
                return next.receiveQueue(request);
            }
            SharedTuples tuples = shared.computeIfAbsent(request.componentId(), component ->
                tuples(request, switched.contains(component) ? tail.sharing(component) : null, notifier));
            SharingQueue queue = new SharingQueue(request, tuples, wakesOnArrival);
            tuples.join(queue);
            return queue;
        });
    }

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) throws InvalidTopologyException {
        try {
            SharingBolts.check(clientConf, topology);
        } catch (IllegalArgumentException e) {
            throw new WrappedInvalidTopologyException(e.getMessage());
        }
    }

    /** The object from which a queue's executor takes tuples: the same for all queues that share, or may share. */
    public static Object tuplesOf(JCQueue queue) {
        return queue instanceof SharingQueue member ? member.shared() : queue;
    }

    /** Whether another executor may now execute tuples for a queue's executor. Safe for any thread. */
    public static boolean isShared(JCQueue queue) {
        return queue instanceof SharingQueue member && member.shared().isOn();
    }

    /** Shown in the worker's metrics under task -1, since they belong to no single task. */
    private static SharedTuples tuples(QueueRequest request, TechniqueSwitch control, BackPressureNotifier notifier) {
        SharedTuples tuples = new SharedTuples(request.sizeTuples(), request.overflowLimitTuples(), control,
            new SpaceSignal(notifier::requestReport));
        gauge(request, "shared-queue-population", tuples::queued);
        gauge(request, "shared-queue-overflow", tuples::overflowed);
        return tuples;
    }

    private static void gauge(QueueRequest request, String name, Gauge<Integer> gauge) {
        request.metrics().gauge(name, gauge, request.componentId(), (int) Constants.SYSTEM_TASK_ID);
    }
}
