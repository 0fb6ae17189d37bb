package io.eyewall.tail.shared;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.tail.auto.TechniqueSwitch;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.storm.shade.org.jctools.queues.MpmcArrayQueue;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The tuples that wait for any of several executors: a ring and, where upstream overflows, a list behind it. Tuples of one producer stand
 * in the order in which it inserted them, and each leaves to exactly one executor. Safe for any number of producers and takers.
 *
 * <p>Where a switch decides, tuples come here only while that is on; what is here when it is switched off leaves as ever.
 *
 * <p>The ring is JCTools' {@code MpmcArrayQueue} (after D. Vyukov's bounded MPMC queue), which upstream brings along.
 */
final class SharedTuples {

    private static final long NEVER = -1;
    private static final long OVERFLOW_AFTER_RINGS = 2;

    private final MpmcArrayQueue<AddressedTuple> ring;
    private final ConcurrentLinkedQueue<AddressedTuple> overflow = new ConcurrentLinkedQueue<>();
    private final AtomicInteger overflowing = new AtomicInteger();
    private final int overflowLimit;
    private final SpaceSignal space;
    /** Null where it is always on. */
    private final TechniqueSwitch control;
    /** The queues whose executors take from here. */
    private volatile SharingQueue[] members = {};
    /** Where the ring's takers were when something was first seen to have overflowed. Written by any of them. */
    private volatile long overflowedAt = NEVER;
    /** Runs after a tuple was inserted that none of them takes, since the last of them has ended; null before that. */
    private volatile Runnable heir;

    /** How many members have raised their flags. */
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Without tuples.
     *
     * @param capacity of the ring, in tuples
     * @param overflowLimit of the list, in tuples; 0 for no limit
     * @param control whether tuples are shared; null for always
     * @param space wakes producers when there is space
     */
    SharedTuples(int capacity, int overflowLimit, TechniqueSwitch control, SpaceSignal space) {
        this.space = space;
        this.control = control;
        ring = new MpmcArrayQueue<>(capacity);
        this.overflowLimit = overflowLimit;
    }

    /** Wakes producers when there is space. */
    SpaceSignal space() {
        return space;
    }

    /** Whether what comes now is shared. */
    boolean isOn() {
        return control == null || control.isOn();
    }

    /** One more takes from here. */
    synchronized void join(SharingQueue member) {
        members = Stream.concat(Arrays.stream(members), Stream.of(member)).toArray(SharingQueue[]::new);
        heir = null;
    }

    /** Unless any takes from here, {@code onMore} runs after each tuple that is inserted, until one does. */
    synchronized void leaveTo(Runnable onMore) {
        if (members.length == 0) {
            heir = onMore;
        }
    }

    /** One takes from here no more; another one gets what that may have been woken for. */
    synchronized void part(SharingQueue member) {
        members = Arrays.stream(members).filter(each -> each != member).toArray(SharingQueue[]::new);
        leave();
    }

    /** Whether any takes from here. */
    boolean hasMembers() {
        return members.length > 0;
    }

    /** Inserts a tuple unless the ring is full, and wakes an executor that waits. */
    boolean offer(AddressedTuple tuple) {
        boolean inserted = ring.offer(tuple);
        if (inserted) {
            // The ring makes a tuple visible with a release store, which a look at the flags could overtake.
            VarHandle.fullFence();
            wakeOne();
        }
        return inserted;
    }

    /** Inserts a tuple behind the ring unless the list is full, too. */
    boolean offerToOverflow(AddressedTuple tuple) {
        if (overflowing.incrementAndGet() > overflowLimit && overflowLimit > 0) {
            overflowing.decrementAndGet();
            return false;
        }
        overflow.add(tuple);
        wakeOne();
        return true;
    }

    /** The next tuple, or null. What overflowed comes when the ring is empty; until it has, upstream lets nothing from other workers in. */
    AddressedTuple poll() {
        if (isOverflowDue()) {
            AddressedTuple overflowed = overflow.poll();
            if (overflowed != null) {
                overflowing.decrementAndGet();
                return overflowed;
            }
        }
        AddressedTuple tuple = ring.relaxedPoll();
        // The ring answers null, too, while the thread that inserts its next tuple has not finished.
        if (tuple == null && overflowing.get() > 0 && ring.isEmpty()) {
            tuple = overflow.poll();
            if (tuple != null) {
                overflowing.decrementAndGet();
            }
        }
        return tuple;
    }

    /**
     * Whether to take what overflowed although the ring is not empty, which it never is before slow executors with fast producers in their
     * worker. What was in the ring before it has been taken by now, so that tuples of one producer keep their order.
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

    /** An executor that may have been woken for a tuple cannot take it: lets another one have it. */
    void leave() {
        if (!ring.isEmpty() || overflowing.get() > 0) {
            wakeOne();
        }
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

    /** A member has raised its flag, before it looks for tuples once more. */
    void raised() {
        waiting.incrementAndGet();
    }

    /** A member's flag has been lowered. */
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
