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
 * The executors that a worker runs, including the system's unless a method excludes it. Threads that make and run executors register them;
 * all other methods are for the thread that moves executors.
 */
final class LocalExecutors {

    private final MovableExecutor.Services services;
    private final Map<List<Long>, MovableExecutor> executors = new ConcurrentHashMap<>();
    private final Map<Integer, ISpout> spouts = new ConcurrentHashMap<>();
    private final Map<Integer, MovableState> states = new ConcurrentHashMap<>();
    /** The executors that run, and those that have ended and are not shut down yet. */
    private final List<IRunningExecutor> handles = new ArrayList<>();
    private final RunningExecutors running = new RunningExecutors();
    private AtomicReference<List<IRunningExecutor>> published;
    /** Whether the states of its bolts are restored in the executor that is being started. */
    private boolean restores;

    /** Begins without executors. */
    LocalExecutors(MovableExecutor.Services services) {
        this.services = services;
    }

    /** Registers an executor that is about to start; on the thread that starts it. */
    MovableExecutor register(ExecutorAccess executor) {
        MovableExecutor movable = new MovableExecutor(executor,
            executor.tasks().stream().map(states::get).filter(Objects::nonNull).toList(), restores, services);
        executors.put(executor.id(), movable);
        return movable;
    }

    /** Registers the object of a spout task; on the thread that makes it. */
    void register(int task, ISpout spout) {
        spouts.put(task, spout);
    }

    /** Registers the state of a stateful bolt's task; on the thread that makes the bolt. */
    void register(int task, MovableState state) {
        states.put(task, state);
    }

    /** The executor with that id; for any thread. */
    MovableExecutor get(List<Long> id) {
        return executors.get(id);
    }

    /** Called when all executors of the worker have been started; from now on the worker looks for them in {@code atom}. */
    void started(AtomicReference<List<IRunningExecutor>> atom) {
        published = atom;
        atom.get().forEach(handle -> executors.get(handle.getExecutorId()).started(handle, 0));
        // The system's executor is first; it always stays.
        handles.add(executors.get(Constants.SYSTEM_EXECUTOR_ID).handle());
        atom.get().stream().filter(handle -> !handles.contains(handle)).forEach(handles::add);
        publish();
    }

    /** The executors that the worker runs, for a timer. */
    RunningExecutors running() {
        return running;
    }

    /** All executors that have not left. */
    Collection<MovableExecutor> executors() {
        return executors.values();
    }

    /** The ids of the executors that have not left, without the system's. */
    Set<List<Long>> all() {
        return executors.keySet().stream().filter(LocalExecutors::isMovable).collect(Collectors.toSet());
    }

    /** The ids of the executors that stay, without the system's. */
    Set<List<Long>> staying() {
        return executors.values().stream().filter(MovableExecutor::isStaying).map(MovableExecutor::id).filter(LocalExecutors::isMovable)
            .collect(Collectors.toSet());
    }

    boolean isAnyQuiescing() {
        return executors.values().stream().anyMatch(executor -> !executor.isStaying());
    }

    /** Makes the spouts of an executor stop emitting. */
    void quiesce(MovableExecutor executor, long atMostNs) {
        executor.quiesce(executor.tasks().stream().map(spouts::get).filter(Objects::nonNull).toList(), atMostNs);
    }

    /** The checkpoint spout of that task, while this worker has it; for the thread that moves executors. */
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

    /** Removes an executor that leaves. */
    void remove(MovableExecutor executor) {
        executors.remove(executor.id());
    }

    /**
     * Starts an executor, which registers itself, uses that generation of queues and, if {@code withStates}, restores the states of its
     * bolts.
     */
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

    /**
     * Closes the user's spouts, or cleans up the user's bolts, of an executor that leaves, and forgets it. Does nothing the second time.
     */
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
