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
 * A shuffle among one task, which is no choice: upstream's counts turns for it at every tuple, in a counter for all threads, and its none
 * grouping draws a number. For any thread.
 */
public final class OnlyTask implements LoadAwareCustomStreamGrouping {

    private static final long serialVersionUID = 1L;

    private final List<Integer> task;

    private OnlyTask(List<Integer> task) {
        this.task = List.copyOf(task);
    }

    /** Answers with a request whose upstream's grouping is this one where it comes to the same, else with the request itself. */
    public static Groupings.Request in(Groupings.Request request) {
        return request.targetTasks().size() == 1 && isShuffle(request.grouping())
            ? new Groupings.Request(request.context(), request.componentId(), request.streamId(), request.outFields(), request.grouping(),
                request.targetTasks(), request.topologyConf(), new OnlyTask(request.targetTasks()))
            : request;
    }

    /** Of the others, some look at the tuple, and fail where it lacks a field; a custom one may do anything. */
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
        // Whatever they are.
    }
}
