package io.eyewall.client.stream.plan;

import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Components of a topology whose spouts begin with {@code spout}.
 *
 * @param names returns the component of a task
 * @param executorsPerInstance the same for all
 * @param idle the component that has no work
 * @param inputs by component, whose tuples it gets; none for those that are missing
 */
public record TestComponents(IntFunction<String> names, int executorsPerInstance, String idle, Map<String, Set<String>> inputs)
        implements InstancePlan.Components {

    /** Components that get no tuples of each other. */
    public TestComponents(IntFunction<String> names, int executorsPerInstance, String idle) {
        this(names, executorsPerInstance, idle, Map.of());
    }

    @Override
    public Set<String> sources(String component) {
        return inputs.getOrDefault(component, Set.of());
    }

    @Override
    public String of(int task) {
        return names.apply(task);
    }

    @Override
    public int executorsPerInstance(String component) {
        return executorsPerInstance;
    }

    @Override
    public boolean isSpout(String component) {
        return component.startsWith("spout");
    }

    @Override
    public boolean hasNoWork(String component) {
        return component.equals(idle);
    }
}
