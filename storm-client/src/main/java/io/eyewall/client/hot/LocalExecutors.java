package io.eyewall.client.hot;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.storm.Constants;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.spout.ISpout;

/**
 * The executors that a worker runs, the system's included where nothing else is said. Registered by the threads that make and run
 * executors; all else is for the thread that moves them.
 */
final class LocalExecutors {

    private final MovableExecutor.Services services;
    private final Map<List<Long>, MovableExecutor> executors = new ConcurrentHashMap<>();
    private final Map<Integer, ISpout> spouts = new ConcurrentHashMap<>();
    private final Map<Integer, MovableState> states = new ConcurrentHashMap<>();
    /** Those that have ended and are not shut down yet, and those that go on. */
    private final List<IRunningExecutor> handles = new ArrayList<>();
    private final RunningExecutors running = new RunningExecutors();
    private AtomicReference<List<IRunningExecutor>> published;
    /** Whether the executor that is being started has its bolts' states restored. */
    private boolean restores;

    /** None yet. */
    LocalExecutors(MovableExecutor.Services services) {
        this.services = services;
    }

    /** An executor is about to start; on the thread that starts it. */
    MovableExecutor register(ExecutorAccess executor) {
        MovableExecutor movable = new MovableExecutor(executor,
            executor.tasks().stream().map(states::get).filter(Objects::nonNull).toList(), restores, services);
        executors.put(executor.id(), movable);
        return movable;
    }

    /** The object of a spout task was made; on the thread that makes it. */
    void register(int task, ISpout spout) {
        spouts.put(task, spout);
    }

    /** The object of a stateful bolt's task was made; on the thread that makes it. */
    void register(int task, MovableState state) {
        states.put(task, state);
    }

    /** The executor with that id; for any thread. */
    MovableExecutor get(List<Long> id) {
        return executors.get(id);
    }

    /** All executors of the worker have been started; {@code atom} is where the worker looks for them from now on. */
    void started(AtomicReference<List<IRunningExecutor>> atom) {
        published = atom;
        atom.get().forEach(handle -> executors.get(handle.getExecutorId()).started(handle, 0));
        // First the system's, which stays.
        handles.add(executors.get(Constants.SYSTEM_EXECUTOR_ID).handle());
        atom.get().stream().filter(handle -> !handles.contains(handle)).forEach(handles::add);
        publish();
    }

    /** What the worker runs, for a timer. */
    RunningExecutors running() {
        return running;
    }

    /** All that have not left. */
    Collection<MovableExecutor> executors() {
        return executors.values();
    }

    /** The ids of those that have not left, without the system's. */
    Set<List<Long>> all() {
        return executors.keySet().stream().filter(LocalExecutors::isMovable).collect(Collectors.toSet());
    }

    /** The ids of those that are to go on, without the system's. */
    Set<List<Long>> staying() {
        return executors.values().stream().filter(MovableExecutor::isStaying).map(MovableExecutor::id).filter(LocalExecutors::isMovable)
            .collect(Collectors.toSet());
    }

    boolean isAnyQuiescing() {
        return executors.values().stream().anyMatch(executor -> !executor.isStaying());
    }

    /** Has the spouts of an executor emit nothing more. */
    void quiesce(MovableExecutor executor, long atMostNs) {
        executor.quiesce(executor.tasks().stream().map(spouts::get).filter(Objects::nonNull).toList(), atMostNs);
    }

    /** The checkpoint spout of that task, while it is here, for the thread that moves executors. */
    Checkpoints.Spout checkpointSpout(int task, long atMostNs) {
        List<Long> id = List.of((long) task, (long) task);
        return new Checkpoints.Spout() {
            @Override
            public void rest() {
                if (executors.containsKey(id)) {
                    executors.get(id).rest(spouts.get(task), atMostNs);
                }
            }

            @Override
            public boolean isQuiet() {
                return executors.containsKey(id) && executors.get(id).isQuiet();
            }

            @Override
            public void resume() {
                if (executors.containsKey(id)) {
                    executors.get(id).resume();
                }
            }
        };
    }

    /** It leaves. */
    void remove(MovableExecutor executor) {
        executors.remove(executor.id());
    }

    /** Starts an executor, which registers itself, finds that generation of queues, and restores the states of its bolts, or not. */
    void start(List<Long> executor, WorkerQueues queues, long generation, boolean withStates) {
        restores = withStates;
        try {
            IRunningExecutor handle = queues.start(executor);
            executors.get(executor).started(handle, generation);
            handles.add(handle);
            publish();
        } catch (Exception e) {
            throw new IllegalStateException("Executor " + executor + " cannot start", e);
        }
    }

    /** Has the user's objects of an executor that leaves close or clean up, and forgets it, unless that was done before. */
    void close(MovableExecutor executor) {
        if (handles.remove(executor.handle())) {
            publish();
            spouts.keySet().removeAll(executor.tasks());
            states.keySet().removeAll(executor.tasks());
            executor.close();
        }
    }

    private void publish() {
        running.replace(handles);
        published.set(List.copyOf(handles));
    }

    private static boolean isMovable(List<Long> id) {
        return !id.equals(Constants.SYSTEM_EXECUTOR_ID);
    }
}
