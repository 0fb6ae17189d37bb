package io.eyewall.client.substitute;

import io.eyewall.client.seam.Groupings;
import java.util.List;
import org.apache.storm.Thrift;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * The grouping of a shuffle subscription that has a single task: it returns that task. Upstream's shuffle grouping advances a counter that
 * all threads share at every tuple, and its none grouping draws a random number. Safe for use by any thread.
 */
public final class SingleTaskGrouping implements LoadAwareCustomStreamGrouping {

    private static final long serialVersionUID = 1L;

    private final List<Integer> task;

    private SingleTaskGrouping(List<Integer> task) {
        this.task = List.copyOf(task);
    }

    /** Returns a request with this grouping in place of upstream's if both choose the same task; if not, the request itself. */
    public static Groupings.Request applyTo(Groupings.Request request) {
        return request.targetTasks().size() == 1 && isShuffle(request.grouping())
            ? new Groupings.Request(request.context(), request.componentId(), request.streamId(), request.outFields(), request.grouping(),
                request.targetTasks(), request.topologyConf(), new SingleTaskGrouping(request.targetTasks()))
            : request;
    }

    /** Other groupings look at the tuple and fail if a field is missing; a custom grouping may do anything. */
    private static boolean isShuffle(Grouping grouping) {
        return switch (Thrift.groupingType(grouping)) {
            case SHUFFLE, LOCAL_OR_SHUFFLE, NONE -> true;
            default -> false;
        };
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        // There is nothing to prepare.
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        return task;
    }

    @Override
    public void refreshLoad(LoadMapping loads) {
        // A single task gets every tuple, whatever its load.
    }
}
