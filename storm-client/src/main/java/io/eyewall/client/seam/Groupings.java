package io.eyewall.client.seam;

import java.util.List;
import java.util.Map;
import org.apache.storm.generated.Grouping;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.tuple.Fields;

/**
 * The seam <em>grouping</em>: makes the grouping by which the tasks of an executor choose among the tasks of one subscriber.
 */
@FunctionalInterface
public interface Groupings {

    /** Upstream's way. */
    Groupings UPSTREAM = Request::upstreamGrouping;

    /**
     * Returns a prepared grouping. Called once for each executor, stream and subscriber, on the thread that makes the executor. For a
     * local-or-shuffle grouping it is called again on the executor's own thread, as a shuffle among fewer tasks, whenever the worker's
     * tasks have changed. The grouping itself is used by that executor's thread.
     */
    LoadAwareCustomStreamGrouping grouping(Request request);

    /**
     * One subscription.
     *
     * @param context the worker
     * @param componentId the emitting component
     * @param streamId the stream
     * @param outFields the fields of the stream
     * @param grouping the grouping that the topology declares
     * @param targetTasks the tasks of the subscriber, in no order
     * @param topologyConf the emitting component's configuration
     * @param upstreamGrouping upstream's grouping, prepared, or one that chooses the same tasks
     */
    record Request(WorkerTopologyContext context, String componentId, String streamId, Fields outFields, Grouping grouping,
            List<Integer> targetTasks, Map<String, Object> topologyConf, LoadAwareCustomStreamGrouping upstreamGrouping) {
    }
}
