package io.eyewall.client.stream.plan;

import java.util.function.IntFunction;

/**
 * Components of a topology whose spouts begin with {@code spout}.
 *
 * @param names returns the component of a task
 * @param executorsPerInstance the same for all
 * @param idle the component that has no work
 */
public record TestComponents(IntFunction<String> names, int executorsPerInstance, String idle) implements InstancePlan.Components {

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
