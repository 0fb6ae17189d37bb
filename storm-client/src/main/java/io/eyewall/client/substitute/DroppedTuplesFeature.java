package io.eyewall.client.substitute;

import com.codahale.metrics.Gauge;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.Map;
import org.apache.storm.Constants;

/**
 * Shows in Storm's metrics how many tuples a worker has dropped because they could not be deserialized: a gauge for each component and
 * stream that had one. The counts are among what features share.
 */
public final class DroppedTuplesFeature implements WorkerFeature {

    private static final String GAUGE = "unreadable-tuples-";
    private static final int WORKER = Math.toIntExact(Constants.SYSTEM_TASK_ID);

    @Override
    public String name() {
        return "dropped-tuples";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        LoggedDrops drops = seams.common(LoggedDrops.class, LoggedDrops::new);
        seams.onStart(worker -> drops.whenNew((source, count) -> worker.getMetricRegistry().gauge(
            GAUGE + source.component() + '-' + source.stream(), (Gauge<Long>) count::get, Constants.SYSTEM_COMPONENT_ID, WORKER)));
    }
}
