package io.eyewall.client.deadline;

import io.eyewall.client.frame.FrameWires;
import io.eyewall.client.seam.TimestampAccess;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.time.NanoClock;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.daemon.worker.WorkerState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives tuples deadlines if spouts have {@linkplain DeadlineConfiguration#ofSpouts targets or shares}. The pool of executors, which joins
 * later, finds the worker's {@link Deadlines} among what features share.
 */
public final class DeadlineFeature implements WorkerFeature {

    private static final Logger LOG = LoggerFactory.getLogger(DeadlineFeature.class);

    @Override
    public String name() {
        return "engine-deadlines";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        DeadlineConfiguration.withoutEffect(seams.topology(), topologyConf).ifPresent(LOG::warn); // It was not refused at submission.
        Deadlines.of(seams.topology(), topologyConf, NanoClock.SYSTEM).ifPresent(deadlines -> {
            seams.common(Deadlines.class, () -> deadlines);
            seams.executorProbes(executor ->
                deadlines.probe(executor.getComponentId(), executor.getTaskIds(), executor.getReceiveQueue()));
            seams.taskObjects(next -> (task, object) -> {
                if (object instanceof TimestampAccess windows && windows.getTimestampExtractor() != null) {
                    deadlines.dated(task.getTaskId(), windows.getTimestampExtractor());
                }
                return next.taskObject(task, object);
            });
            seams.common(FrameWires.class, () -> new FrameWires(deadlines::wire));
            seams.tupleWires(next -> context -> TupleWire.both(next.wire(context), deadlines.wire()));
            AtomicReference<WorkerState> starting = new AtomicReference<>();
            seams.onStart(starting::set);
            seams.receivers(next -> request -> new CostReceiver(next.receiver(request), deadlines,
                () -> starting.get().getCachedNodeToPortSocket().get().values()));
            seams.onLeave((tasks, queue) -> deadlines.forget(queue));
        });
    }
}
