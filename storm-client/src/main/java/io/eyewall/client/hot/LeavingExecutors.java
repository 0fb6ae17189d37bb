package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executors that leave a worker, from the moment at which the worker no longer serves their tasks until all their objects are closed.
 * For the conducting thread.
 *
 * <p>An executor that leaves executes its queue for a second at most. It ends then, or as soon as its queue is empty and no executor of the
 * worker inserts there. The tuples that are left in the queue, those that it could not send, and those that arrive later go to the {@link
 * Forwarder}. An executor that waits to be prepared, as in an inactive topology, is closed at once.
 */
final class LeavingExecutors {

    private static final Logger LOG = LoggerFactory.getLogger(LeavingExecutors.class);

    /** How long an executor that leaves executes its queue at most, in nanoseconds. */
    private static final long EXECUTES_NS = TimeUnit.SECONDS.toNanos(1);

    private final LocalExecutors local;
    private final WorkerQueues queues;
    private final Forwarder forwarder;
    private final long atMostNs;
    private final Map<MovableExecutor, State> states = new LinkedHashMap<>();

    /** Begins without executors. An executor whose user code does not return for {@code atMostNs} nanoseconds makes the worker restart. */
    LeavingExecutors(LocalExecutors local, WorkerQueues queues, Forwarder forwarder, long atMostNs) {
        this.local = local;
        this.queues = queues;
        this.forwarder = forwarder;
        this.atMostNs = atMostNs;
    }

    /** Adds an executor that begins to leave. */
    void add(MovableExecutor executor, long nowNs) {
        LOG.info("{} leaves this worker.", executor.describe());
        executor.leave();
        local.remove(executor);
        states.put(executor, new State(nowNs));
    }

    boolean isEmpty() {
        return states.isEmpty();
    }

    /** The executors that leave. */
    Collection<MovableExecutor> executors() {
        return List.copyOf(states.keySet());
    }

    /** Their tasks. */
    Set<Integer> tasks() {
        Set<Integer> tasks = new HashSet<>();
        states.keySet().forEach(leaver -> tasks.addAll(leaver.tasks()));
        return tasks;
    }

    /**
     * Called when executors may look up new queues. From that generation of queues on, no element is put into the queues of executors that
     * leave.
     */
    void queuesChanged(long generation) {
        states.values().forEach(state -> {
            if (state.leftAt < 0) {
                state.leftAt = generation;
            }
        });
    }

    /** Lets each executor take its next step; returns the reason if the worker must restart. */
    Optional<String> advance(long nowNs) {
        Optional<String> failure = Optional.empty();
        for (Map.Entry<MovableExecutor, State> entry : new ArrayList<>(states.entrySet())) {
            MovableExecutor leaver = entry.getKey();
            State state = entry.getValue();
            long sinceNs = nowNs - state.sinceNs;
            if (leaver.isClosed()) {
                abandon(leaver, state);
                states.remove(leaver);
                queues.remove(leaver.id(), leaver.queue());
                LOG.info("{} has left this worker.", leaver.describe());
            } else if (sinceNs > atMostNs) {
                String step = leaver.hasEnded() ? " has not cleaned up" : " has not returned from its user code";
                failure = Optional.of(leaver.describe() + step
                    + " for " + TimeUnit.NANOSECONDS.toSeconds(atMostNs) + " s");
            } else if (leaver.hasEnded()) {
                local.close(leaver);
                abandon(leaver, state);
            } else if (!leaver.isPrepared()) {
                local.close(leaver); // Its thread goes on until then, and takes from its queue if it is prepared meanwhile.
            } else if (sinceNs > EXECUTES_NS) {
                leaver.handOver();
            } else if (isForgotten(state.leftAt)) {
                leaver.mayEnd();
            }
        }
        return failure;
    }

    private void abandon(MovableExecutor leaver, State state) {
        if (!state.abandoned) {
            state.abandoned = true;
            forwarder.abandon((WakingQueue) leaver.queue());
        }
    }

    /** Whether all executors of the worker have stopped using the queues that were replaced at that generation. */
    private boolean isForgotten(long leftAt) {
        return leftAt >= 0 && Stream.concat(local.executors().stream(), states.keySet().stream())
            .allMatch(executor -> executor.usesQueues(leftAt));
    }

    private static final class State {
        private final long sinceNs;
        /** The generation of queues that no longer has its queue; negative while it has a queue. */
        private long leftAt = -1;
        private boolean abandoned;

        State(long sinceNs) {
            this.sinceNs = sinceNs;
        }
    }
}
