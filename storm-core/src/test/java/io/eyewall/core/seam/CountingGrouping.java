package io.eyewall.core.seam;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.task.WorkerTopologyContext;

/** Answers as a fields grouping of one field does, counts how its answers are read, and allocates nothing for a value that it knows. */
final class CountingGrouping implements LoadAwareCustomStreamGrouping {

    private final LoadAwareCustomStreamGrouping grouping;
    private final Map<Object, List<Integer>> chosenByValue = new HashMap<>();

    CountingGrouping(LoadAwareCustomStreamGrouping grouping) {
        this.grouping = grouping;
    }

    @Override
    public void refreshLoad(LoadMapping loadMapping) {
        grouping.refreshLoad(loadMapping);
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        grouping.prepare(context, stream, targetTasks);
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        List<Integer> chosen = chosenByValue.get(values.get(0));
        if (chosen == null) {
            chosen = new CountingTask(grouping.chooseTasks(taskId, values).get(0));
            chosenByValue.put(values.get(0), chosen);
        }
        return chosen;
    }

    /** One task; upstream's {@code ArrayList.addAll} makes an array of it, the call that is woven in its place takes it out. */
    private static final class CountingTask extends AbstractList<Integer> {
        private final Integer task;

        CountingTask(Integer task) {
            this.task = task;
        }

        @Override
        public Integer get(int index) {
            CountingFeature.count("outgoing-tasks: taken");
            return task;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public Object[] toArray() {
            CountingFeature.count("outgoing-tasks: copied");
            return new Object[] {task};
        }
    }
}
