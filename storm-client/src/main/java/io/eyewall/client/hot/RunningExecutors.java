package io.eyewall.client.hot;

import java.util.AbstractList;
import java.util.List;
import org.apache.storm.executor.IRunningExecutor;

/**
 * The executors that a worker runs at any time, for a timer that goes through them by index while they change. The first one is the
 * system's, which is never replaced and has nothing to flush. It stands in for an executor that has left since the timer asked for the
 * size.
 */
final class RunningExecutors extends AbstractList<IRunningExecutor> {

    private volatile List<IRunningExecutor> executors = List.of();

    void replace(List<IRunningExecutor> next) {
        executors = List.copyOf(next);
    }

    @Override
    public IRunningExecutor get(int index) {
        List<IRunningExecutor> now = executors;
        return now.get(index < now.size() ? index : 0);
    }

    @Override
    public int size() {
        return executors.size();
    }
}
