package io.eyewall.client.stream.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A process with executors of one component. Immutable.
 *
 * @param id the first task of its first executor, by which its process is named
 * @param component the component after which the process is named; executors of Storm's own components may run in it as well
 * @param executors its executors, each by its first and last task, in ascending order
 */
public record Instance(int id, String component, List<List<Long>> executors) {

    /** Orders executors by their first task. */
    static final Comparator<List<Long>> BY_FIRST_TASK = Comparator.comparing(executor -> executor.get(0));

    /** Makes the list unmodifiable. */
    public Instance {
        executors = executors.stream().sorted(BY_FIRST_TASK).toList();
    }

    /** The instances of a component in one container: so many of its executors, in the order of their tasks, share each, or fewer. */
    public static List<Instance> sharing(String component, List<List<Long>> executors, int executorsPerInstance) {
        List<Instance> instances = new ArrayList<>();
        for (int from = 0; from < executors.size(); from += executorsPerInstance) {
            List<List<Long>> group = executors.subList(from, Math.min(from + executorsPerInstance, executors.size()));
            instances.add(new Instance(group.get(0).get(0).intValue(), component, group));
        }
        return instances;
    }

    /** The name of its log and directory, such as {@code count-4}. Storm allows any character in the name of a component. */
    public String name() {
        return component.replaceAll("[^A-Za-z0-9._$-]", "_") + "-" + id;
    }

    /** All tasks of its executors. */
    public List<Integer> tasks() {
        return executors.stream().flatMapToInt(executor ->
            IntStream.rangeClosed(executor.get(0).intValue(), executor.get(1).intValue())).boxed().toList();
    }
}
