package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.util.ArrayList;
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
 * The tuples of instances that are connected to no stream manager of the topology, as far as this one knows. They wait until the instance
 * has started, here or in another container: it has moved, or has died.
 *
 * <p>What waits counts in the {@link Backlog}, so senders have to wait as they do for an instance that takes nothing. If an instance does
 * not come for very long, its tuples are dropped until it does. Used by one thread.
 */
final class AbsentInstances {

    private static final Logger LOG = LoggerFactory.getLogger(AbsentInstances.class);

    /** How long an instance may take to start: as long as containers wait for its first heartbeat, by default. */
    private static final long START_NS = TimeUnit.SECONDS.toNanos(120);

    private final Backlog backlog;
    private final Ways containers;
    private final Map<Integer, Waiting> waiting = new TreeMap<>();
    /** Those that have not come for too long. */
    private final Set<Integer> missing = new HashSet<>();

    /** What waits for an instance. */
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
    AbsentInstances(Backlog backlog, Ways containers) {
        this.backlog = backlog;
        this.containers = containers;
    }

    /**
     * Has a message wait for an instance. If the instance is not in the plan, has been missing for too long, or if there is no memory, the
     * message is counted as dropped.
     *
     * @param source the instance of this container that has sent it
     * @return whether its buffer waits with it
     */
    boolean offer(int source, int instance, ByteBuf message, Router router, long nowNs) {
        boolean isHeld = offer(instance, message, router, nowNs);
        if (isHeld) {
            waiting.get(instance).sources.add(source);
        }
        return isHeld;
    }

    private boolean offer(int instance, ByteBuf message, Router router, long nowNs) {
        if (router.home(instance).isEmpty() || missing.contains(instance)) {
            containers.dropped(1);
            return false;
        }
        Waiting its = waiting.computeIfAbsent(instance, added -> {
            LOG.info("Tuples for instance {} wait, since it is not connected.", instance);
            return new Waiting(nowNs, backlog.add(Long.MAX_VALUE, state -> {
                router.congested(instance, state != Backlog.State.FREE);
                router.full(instance, state == Backlog.State.FULL);
            }));
        });
        int bytes = message.readableBytes();
        if (!its.destination.add(bytes)) {
            containers.refused();
            return false;
        }
        its.bytes += bytes;
        its.messages.add(message);
        return true;
    }

    /**
     * Takes what another container has sent when the instance is no longer here: it has died, or others did not answer for too long before
     * it left. The message goes on to where the instance is connected by now, or waits here until it is anywhere. It is not sent to where
     * the instance only should be: containers may know different plans.
     */
    void arrived(TaskMessage message, Router router, long nowNs) {
        int instance = message.task();
        if (router.place(instance).isPresent()) {
            containers.forward(router.place(instance), message);
            return;
        }
        ByteBuf tuples = StreamWire.fromContainer(PooledByteBufAllocator.DEFAULT, message);
        if (!offer(instance, tuples, router, nowNs)) {
            tuples.release();
        }
    }

    /** An instance has connected: returns what has waited for it, in the order in which it came. Its buffers are the caller's. */
    List<ByteBuf> connected(int instance, Router router) {
        missing.remove(instance);
        return waiting.containsKey(instance) ? forget(instance, router) : List.of();
    }

    /** Whether messages of an instance wait for others. */
    boolean holds(int source) {
        return waiting.values().stream().anyMatch(its -> its.sources.contains(source));
    }

    /** Measures what waits for whom. */
    void measure() {
        waiting.values().forEach(its -> its.destination.measured(its.bytes));
    }

    /** Sends what waits to instances that are in other containers by now. */
    void follow(Router router) {
        for (int instance : List.copyOf(waiting.keySet())) {
            if (router.place(instance).isPresent()) {
                waiting.get(instance).messages.forEach(message -> send(instance, message, router));
                forget(instance, router).forEach(ByteBuf::release);
                containers.flush();
            }
        }
    }

    /** Drops what has waited for too long, or for an instance that is no longer in the plan; called every second. */
    void look(Router router, long nowNs) {
        missing.removeIf(instance -> router.place(instance).isPresent() || router.home(instance).isEmpty());
        dropUnplanned(router);
        for (Map.Entry<Integer, Waiting> entry : List.copyOf(waiting.entrySet())) {
            int instance = entry.getKey();
            if (router.isLeaving(instance)) {
                entry.getValue().sinceNs = nowNs;
            } else if (nowNs - entry.getValue().sinceNs > START_NS) {
                List<ByteBuf> messages = forget(instance, router);
                missing.add(instance);
                containers.dropped(messages.size());
                LOG.warn("Instance {} has not connected for {} s. Dropped the {} messages that waited for it. Others are dropped until it"
                    + " connects; its log says why it does not.", instance, TimeUnit.NANOSECONDS.toSeconds(START_NS), messages.size());
                messages.forEach(ByteBuf::release);
            }
        }
    }

    private void dropUnplanned(Router router) {
        Set<Integer> gone = new TreeSet<>(waiting.keySet());
        gone.removeIf(instance -> router.home(instance).isPresent());
        int messages = 0;
        for (int instance : gone) {
            List<ByteBuf> all = forget(instance, router);
            all.forEach(ByteBuf::release);
            messages += all.size();
        }
        if (messages > 0) {
            containers.dropped(messages);
            LOG.warn("Dropped {} messages for the instances {}, which are no longer in the assignment.", messages, gone);
        }
    }

    private List<ByteBuf> forget(int instance, Router router) {
        Waiting its = waiting.remove(instance);
        backlog.remove(its.destination);
        router.absent(instance, its.sources);
        return its.messages;
    }

    private void send(int instance, ByteBuf message, Router router) {
        try {
            containers.forward(router.place(instance), StreamWire.forContainer(message));
        } catch (WireException e) {
            containers.dropped(1);
        }
    }

    /** Drops everything. */
    void close() {
        for (Waiting its : waiting.values()) {
            containers.dropped(its.messages.size());
            its.messages.forEach(ByteBuf::release);
            backlog.remove(its.destination);
        }
        waiting.clear();
    }
}
