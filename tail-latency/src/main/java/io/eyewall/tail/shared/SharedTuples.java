package io.eyewall.tail.shared;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.tail.auto.TechniqueSwitch;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.storm.shade.org.jctools.queues.MpmcArrayQueue;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The tuples that wait for any of several executors: a ring, and an overflow list where upstream has one. Tuples of one producer are in the
 * order in which it inserted them, and exactly one executor takes each. Safe for any number of producers and takers.
 *
 * <p>If there is a switch, tuples are inserted here only while it is on. Tuples that are here when it is switched off are taken as before.
 *
 * <p>The ring is JCTools' {@code MpmcArrayQueue} (after D. Vyukov's bounded MPMC queue), which upstream contains.
 */
final class SharedTuples {

    private static final long NEVER = -1;
    private static final long OVERFLOW_AFTER_RINGS = 2;

    private final MpmcArrayQueue<AddressedTuple> ring;
    private final ConcurrentLinkedQueue<AddressedTuple> overflow = new ConcurrentLinkedQueue<>();
    private final AtomicInteger overflowing = new AtomicInteger();
    private final BooleanSupplier isOverflowEmpty = this::hasNoOverflow;
    private final int overflowLimit;
    private final SpaceSignal space;
    /** Null if it is always on. */
    private final TechniqueSwitch control;
    /** The queues whose executors take from here. */
    private volatile SharingQueue[] members = {};
    /** The position of the ring's takers when the overflow list was first seen to have elements. Written by any of them. */
    private volatile long overflowedAt = NEVER;
    /** Runs after each insertion once the last executor has ended, so that no executor takes the tuple; null before that. */
    private volatile Runnable heir;

    /** The number of members whose flag is raised. */
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Begins without tuples.
     *
     * @param capacity capacity of the ring, in tuples
     * @param overflowLimit capacity of the overflow list, in tuples; 0 for no limit
     * @param control whether tuples are shared; null for always
     * @param space wakes producers when there is space
     */
    SharedTuples(int capacity, int overflowLimit, TechniqueSwitch control, SpaceSignal space) {
        this.space = space;
        this.control = control;
        ring = new MpmcArrayQueue<>(capacity);
        this.overflowLimit = overflowLimit;
    }

    /** Wakes producers of shared tuples when there is space. The queues of executors have others, since each has a list of its own. */
    SpaceSignal space() {
        return space;
    }

    /** Whether new tuples are shared. */
    boolean isOn() {
        return control == null || control.isOn();
    }

    /** Adds a queue whose executor takes from here. */
    synchronized void join(SharingQueue member) {
        members = Stream.concat(Arrays.stream(members), Stream.of(member)).toArray(SharingQueue[]::new);
        heir = null;
    }

    /** If no executor takes from here, {@code onMore} runs after each insertion, until one does. */
    synchronized void leaveTo(Runnable onMore) {
        if (members.length == 0) {
            heir = onMore;
        }
    }

    /** Removes a queue whose executor no longer takes from here. If it was woken for a tuple, another one is woken. */
    synchronized void part(SharingQueue member) {
        members = Arrays.stream(members).filter(each -> each != member).toArray(SharingQueue[]::new);
        leave();
    }

    /** Whether any executor takes from here. */
    boolean hasMembers() {
        return members.length > 0;
    }

    /** Inserts a tuple unless the ring is full, and wakes an executor that waits. */
    boolean offer(AddressedTuple tuple) {
        boolean inserted = ring.offer(tuple);
        if (inserted) {
            // The ring publishes a tuple with a release store, which a read of the flags could overtake.
            VarHandle.fullFence();
            wakeOne();
        }
        return inserted;
    }

    /** Adds a tuple to the overflow list unless that is full, too. */
    boolean offerToOverflow(AddressedTuple tuple) {
        if (overflowing.incrementAndGet() > overflowLimit && overflowLimit > 0) {
            overflowing.decrementAndGet();
            return false;
        }
        overflow.add(tuple);
        space.overflowed(); // Before an executor is woken that takes the tuple.
        wakeOne();
        return true;
    }

    /** The next tuple, or null. The overflow list comes when the ring is empty; until then upstream inserts no tuple of other workers. */
    AddressedTuple poll() {
        if (isOverflowDue()) {
            AddressedTuple overflowed = overflow.poll();
            if (overflowed != null) {
                overflowing.decrementAndGet();
                return overflowed;
            }
        }
        AddressedTuple tuple = ring.relaxedPoll();
        // The ring also returns null while the thread that inserts its next tuple has not finished.
        if (tuple == null && overflowing.get() > 0 && ring.isEmpty()) {
            tuple = overflow.poll();
            if (tuple != null) {
                overflowing.decrementAndGet();
            }
        }
        return tuple;
    }

    /** Called by an executor that has taken so many tuples, from here or its own queue, or has found none. */
    void consumed(int tuples) {
        if (tuples > 0) {
            space.signal();
        }
        space.consumed(isOverflowEmpty);
    }

    /**
     * Whether to take from the overflow list although the ring is not empty. With slow executors and fast producers in their worker the
     * ring is never empty. The tuples that were in the ring before have been taken by now, so that tuples of one producer keep their order.
     */
    private boolean isOverflowDue() {
        if (overflowing.get() == 0) {
            overflowedAt = NEVER;
            return false;
        }
        long index = ring.currentConsumerIndex();
        if (overflowedAt == NEVER) {
            overflowedAt = index;
        }
        return index - overflowedAt > OVERFLOW_AFTER_RINGS * ring.capacity();
    }

    /** Wakes another executor if there are tuples, since the caller, which may have been woken for one, cannot take it. */
    void leave() {
        if (!ring.isEmpty() || overflowing.get() > 0) {
            wakeOne();
        }
    }

    private boolean hasNoOverflow() {
        return overflowing.get() == 0;
    }

    int queued() {
        return ring.size();
    }

    int overflowed() {
        return overflowing.get();
    }

    /** How full the ring is, from 0 to 1. */
    double load() {
        return (double) ring.size() / ring.capacity();
    }

    /** Called when a member has raised its flag, before it looks for tuples once more. */
    void raised() {
        waiting.incrementAndGet();
    }

    /** Called when a member's flag has been lowered. */
    void lowered() {
        waiting.decrementAndGet();
    }

    private void wakeOne() {
        if (waiting.get() > 0) {
            for (SharingQueue member : members) {
                if (member.wake()) {
                    return;
                }
            }
        }
        Runnable left = heir;
        if (left != null) {
            left.run();
        }
    }
}
