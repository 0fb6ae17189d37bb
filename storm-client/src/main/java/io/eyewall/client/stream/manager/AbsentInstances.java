package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.PooledByteBufAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tuples for tasks whose instances are connected to no stream manager of the topology, as far as this one knows. They wait until the
 * task has started, here or in another container, in the same instance or in another one: it has moved, or its instance has died.
 *
 * <p>What waits counts in the {@link Backlog}, so senders have to wait as they do for an instance that takes nothing. If a task does not
 * come for very long, its tuples are dropped until it does. Used by one thread.
 */
final class AbsentInstances implements RouterOutput.WaitingTuples {

    private static final Logger LOG = LoggerFactory.getLogger(AbsentInstances.class);

    /** How long an instance may take to start: as long as containers wait for its first heartbeat, by default. */
    private static final long START_NS = TimeUnit.SECONDS.toNanos(120);

    private final Backlog backlog;
    private final ContainerForwarder containers;
    private final Map<Integer, Waiting> waiting = new TreeMap<>();
    /** Those that have not come for too long. */
    private final Set<Integer> missing = new HashSet<>();

    /** What waits for a task. */
    private static final class Waiting {
        /** Since when somebody could have started it. */
        private long sinceNs;
        private final Backlog.Destination destination;
        private final List<ByteBuf> messages = new ArrayList<>();
        /** The instances that have sent them. */
        private final Set<Integer> sources = new HashSet<>();
        private long bytes;

        Waiting(long sinceNs, Backlog.Destination destination) {
            this.sinceNs = sinceNs;
            this.destination = destination;
        }
    }

    /** Nothing waits. Messages that cannot wait are counted by {@code containers}, which also lead elsewhere. */
    AbsentInstances(Backlog backlog, ContainerForwarder containers) {
        this.backlog = backlog;
        this.containers = containers;
    }

    /**
     * Has a message wait for a task. If the task is not in the plan, has been missing for too long, or if there is no memory, the
     * message is counted as dropped.
     *
     * @param source the instance of this container that has sent it
     * @param inAnyCase whether it has room in any case: it had room before, or its sender waits after it
     * @return whether its buffer waits with it
     */
    boolean offer(int source, int task, ByteBuf message, boolean inAnyCase, Router router, long nowNs) {
        boolean isHeld = offer(task, message, inAnyCase, router, nowNs);
        if (isHeld) {
            waiting.get(task).sources.add(source);
        }
        return isHeld;
    }

    private boolean offer(int task, ByteBuf message, boolean inAnyCase, Router router, long nowNs) {
        if (router.home(task).isEmpty() || missing.contains(task)) {
            containers.dropped(1, task);
            return false;
        }
        Waiting its = waiting.computeIfAbsent(task, added -> {
            LOG.info("Tuples for task {} wait until its container reports that its instance is connected.", task);
            return new Waiting(nowNs, backlog.add(Long.MAX_VALUE, state -> {
                router.congested(Set.of(task), state != Backlog.State.FREE);
                router.full(Set.of(task), state == Backlog.State.FULL);
            }));
        });
        int bytes = message.readableBytes();
        if (!its.destination.add(bytes, inAnyCase)) {
            containers.refused();
            return false;
        }
        its.bytes += bytes;
        its.messages.add(message);
        return true;
    }

    /**
     * Takes what another container has sent when the task is no longer here: its instance has died, or others did not answer for too long
     * before it left. The message goes on to where the task runs now, or waits here until it runs somewhere. It is not sent to where the
     * plan has the task: containers may know different plans.
     */
    void arrived(TaskMessage message, Router router, long nowNs) {
        int task = message.task();
        if (router.place(task).isPresent()) {
            containers.forward(router.place(task), message, false);
        } else {
            ByteBuf tuples = StreamWire.fromContainer(PooledByteBufAllocator.DEFAULT, message);
            if (!offer(task, tuples, false, router, nowNs)) {
                tuples.release();
            }
        }
        router.strayed();
    }

    /** The instance of a task has connected: returns what has waited, in the order in which it came. Its buffers are the caller's. */
    List<ByteBuf> connected(int task, Router router) {
        missing.remove(task);
        return waiting.containsKey(task) ? forget(task, router) : List.of();
    }

    /** Where messages for a task wait. */
    Backlog.Destination destination(int task) {
        Waiting its = waiting.get(task);
        return its == null ? backlog.unknown() : its.destination;
    }

    @Override
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    @Override
    public boolean holds(int source) {
        return waiting.values().stream().anyMatch(its -> its.sources.contains(source));
    }

    @Override
    public boolean holdsFor(Set<Integer> tasks) {
        return !Collections.disjoint(waiting.keySet(), tasks);
    }

    /** Measures what waits for whom. */
    void measure() {
        waiting.values().forEach(its -> its.destination.measured(its.bytes));
    }

    /** Sends what waits to tasks that are in other containers by now. */
    void follow(Router router) {
        for (int task : List.copyOf(waiting.keySet())) {
            if (router.place(task).isPresent()) {
                waiting.get(task).messages.forEach(message -> send(task, message, router));
                forget(task, router).forEach(ByteBuf::release);
                containers.flush();
            }
        }
    }

    /** Drops what has waited for too long, or for a task that is no longer in the plan; called every second. */
    void dropOverdue(Router router, long nowNs) {
        missing.removeIf(task -> router.place(task).isPresent() || router.home(task).isEmpty());
        dropUnplanned(router);
        for (Map.Entry<Integer, Waiting> entry : List.copyOf(waiting.entrySet())) {
            int task = entry.getKey();
            if (router.isLeaving(task)) {
                entry.getValue().sinceNs = nowNs;
            } else if (nowNs - entry.getValue().sinceNs > START_NS) {
                List<ByteBuf> messages = forget(task, router);
                missing.add(task);
                containers.dropped(messages.size(), task);
                LOG.warn("The instance of task {} has not connected for {} s. Dropped the {} messages that waited for it. Others are"
                    + " dropped until it connects; its log says why it does not.", task, TimeUnit.NANOSECONDS.toSeconds(START_NS),
                    messages.size());
                messages.forEach(ByteBuf::release);
            }
        }
    }

    private void dropUnplanned(Router router) {
        Set<Integer> gone = new TreeSet<>(waiting.keySet());
        gone.removeIf(task -> router.home(task).isPresent());
        int messages = 0;
        for (int task : gone) {
            List<ByteBuf> all = forget(task, router);
            all.forEach(ByteBuf::release);
            containers.dropped(all.size(), task);
            messages += all.size();
        }
        if (messages > 0) {
            LOG.warn("Dropped {} messages for the tasks {}, which are no longer in the assignment.", messages, gone);
        }
    }

    private List<ByteBuf> forget(int task, Router router) {
        Waiting its = waiting.remove(task);
        backlog.remove(its.destination);
        router.absent(task, its.sources);
        return its.messages;
    }

    private void send(int task, ByteBuf message, Router router) {
        try {
            containers.forward(router.place(task), StreamWire.forContainer(message), true);
        } catch (WireException e) {
            containers.dropped(1, task);
        }
    }

    /** Drops everything. */
    void close() {
        waiting.forEach((task, its) -> {
            containers.dropped(its.messages.size(), task);
            its.messages.forEach(ByteBuf::release);
            backlog.remove(its.destination);
        });
        waiting.clear();
    }
}
