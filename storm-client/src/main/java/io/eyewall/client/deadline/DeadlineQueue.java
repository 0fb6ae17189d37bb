package io.eyewall.client.deadline;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.storm.tuple.AddressedTuple;

/**
 * A queue whose consumer gets the tuple with the earliest deadline first. Tuples of one {@linkplain Lanes lane} keep their order. An
 * element without a deadline, such as a tick, comes after all that were in the queue before it.
 *
 * <p>The consumer takes the elements out of the queue into lanes, and executes the tuple with the earliest deadline among their first ones.
 * At most as many elements as the queue has room for are in the lanes; those behind them wait in the queue, in order.
 *
 * <p>While targets do not apply, all elements keep their order.
 */
final class DeadlineQueue extends WakingQueue {

    /** After so many tuples the consumer looks for more urgent ones. */
    private static final int EXECUTED_AT_ONCE = 8;

    private final int capacity;
    private final BooleanSupplier targetsApply;
    /** Whether all elements always keep their order. Written before the consumer starts. */
    private boolean keepsOrder;
    /** Whether the lanes' elements were sorted by target; if not, all are in the first lane. For the consumer. */
    private boolean areSorted;
    /** The lanes, the first element without a deadline, and what gathers them. For the consumer, as is all that they hold. */
    private final Deque<Object>[] lanes;
    private Object last;
    private final Consumer gathering = new Gathering();
    private ExitCondition ofLook;
    private final ExitCondition whileThereIsRoom = () -> last == null && held() < capacity() && ofLook.keepRunning();
    /** How many elements are in the lanes. Written by the consumer. */
    private final AtomicInteger held = new AtomicInteger();

    /**
     * An empty queue; see {@link WakingQueue}.
     *
     * @param targetsApply whether tuples with different targets may overtake each other; called by the consumer
     */
    @SuppressWarnings("unchecked") // Arrays of generic types cannot be made otherwise.
    DeadlineQueue(QueueRequest request, SpaceSignal space, BooleanSupplier targetsApply) {
        super(request, true, space);
        this.targetsApply = targetsApply;
        capacity = request.sizeTuples();
        lanes = Stream.generate(ArrayDeque::new).limit(Lanes.MOST).toArray(Deque[]::new);
    }

    /** Has the consumer get the elements in their order. Called before it starts. */
    void keepOrder() {
        keepsOrder = true;
    }

    @Override
    public int getQueuedCount() {
        return super.getQueuedCount() + held();
    }

    @Override
    public int size() {
        return getQueuedCount() + getOverflowCount();
    }

    @Override
    protected int look(Consumer elements, ExitCondition exitCondition) {
        ExitCondition goesOn = betweenElements(exitCondition);
        if (ofLook != exitCondition) { // Writing it each time would take its cache line from the producers.
            ofLook = exitCondition;
        }
        gather();
        int executed = 0;
        while (held() > 0 && goesOn.keepRunning()) {
            held.lazySet(held() - 1);
            elements.accept(take());
            executed++;
            if (executed % EXECUTED_AT_ONCE == 0 || held() == 0) {
                gather();
            }
        }
        if (executed > 0) {
            flush(elements);
        }
        return executed;
    }

    /** Fills the lanes. When targets begin or cease to apply, what is in the lanes is executed first, so that it is not overtaken. */
    private void gather() {
        boolean sorts = !keepsOrder && targetsApply.getAsBoolean();
        if (held() == 0) {
            areSorted = sorts;
        }
        if (areSorted == sorts) {
            super.look(gathering, whileThereIsRoom);
        }
    }

    private static void flush(Consumer elements) {
        try {
            elements.flush();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // As in upstream's queue: the interrupt ends the executor.
        }
    }

    private int held() {
        return held.getOpaque();
    }

    private int capacity() {
        return capacity;
    }

    /** Takes the tuple with the earliest deadline; if there is none, the element without. */
    private Object take() {
        Deque<Object> first = null;
        long firstNs = Long.MAX_VALUE;
        for (Deque<Object> lane : lanes) {
            Object head = lane.peek();
            if (head != null && deadlineNs(head) < firstNs) {
                firstNs = deadlineNs(head);
                first = lane;
            }
        }
        if (first != null) {
            return first.poll();
        }
        Object taken = last;
        last = null;
        return taken;
    }

    private static long deadlineNs(Object element) {
        return element instanceof AddressedTuple addressed && addressed.getTuple() instanceof DeadlineHolder tuple
            ? tuple.getEyewallDeadlineNs() : 0;
    }

    /** Takes elements out of the queue. */
    private final class Gathering implements Consumer {
        @Override
        public void accept(Object element) {
            long deadlineNs = deadlineNs(element);
            if (deadlineNs == 0) {
                last = element; // It ends the gathering.
            } else {
                lanes[areSorted ? Deadlines.laneOf(deadlineNs) : 0].add(element);
            }
            held.lazySet(held() + 1);
        }

        @Override
        public void flush() {
            // Elements are handed over later.
        }
    }
}
