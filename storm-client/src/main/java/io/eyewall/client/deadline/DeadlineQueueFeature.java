package io.eyewall.client.deadline;

import io.eyewall.client.engine.BackPressureNotifier;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.Map;

/** Gives bolts that tuples of several lanes reach a queue with lanes. Joins after the feature whose queues it replaces. */
public final class DeadlineQueueFeature implements WorkerFeature {

    @Override
    public String name() {
        return "engine-wake-on-arrival-by-deadline";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        if (new EngineConfiguration(topologyConf).wakeOnArrival()) {
            seams.common(Deadlines.class).ifPresent(deadlines -> {
                BackPressureNotifier notifier = BackPressureNotifier.of(seams);
                seams.receiveQueues(next -> request -> deadlines.needsLanes(request.componentId())
                    ? new DeadlineQueue(request, new SpaceSignal(notifier::requestReport), deadlines::areInForce)
                    : next.receiveQueue(request));
            });
        }
    }
}
