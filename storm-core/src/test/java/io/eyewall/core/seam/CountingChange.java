package io.eyewall.core.seam;

import io.eyewall.client.seam.WorkerChange;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;

/** Counts what a worker asks at the seam worker-change, and does as the next. */
record CountingChange(WorkerChange next) implements WorkerChange {

    @Override
    public void starting(WorkerState worker, Set<List<Long>> executors) {
        count("starting");
        next.starting(worker, executors);
    }

    @Override
    public void started(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
        count("started");
        next.started(worker, executors);
    }

    @Override
    public boolean isPossible() {
        count("is possible");
        return next.isPossible();
    }

    @Override
    public boolean refresh(WorkerState worker) {
        count("refresh");
        return next.refresh(worker);
    }

    @Override
    public List<IRunningExecutor> flushed(List<IRunningExecutor> executors) {
        count("flushed");
        return next.flushed(executors);
    }

    @Override
    public TopologyStatus status(StormBase topology) {
        count("status");
        return next.status(topology);
    }

    @Override
    public void scheduleTicks(Executor executor, StormTimer timer, int delaySecs, int everySecs, Runnable tick) {
        count("ticks");
        next.scheduleTicks(executor, timer, delaySecs, everySecs, tick);
    }

    private static void count(String call) {
        CountingFeature.count("worker-change: " + call);
    }
}
