package io.eyewall.client.deadline;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.storm.Constants;
import org.apache.storm.tuple.AddressedTuple;

/**
 * A queue whose consumer gets the tuple with the earliest deadline first. Tuples of one {@linkplain Lanes lane} keep their order. An
 * element without a deadline, such as a tick, comes after all that were in the queue before it. More urgent tuples may overtake it.
 *
 * <p>The consumer takes all elements out of the queue into lanes, and executes the tuple with the earliest deadline among their first ones.
 * A lane is full when it has as many elements as the queue has room for. Then the queue refuses tuples of that lane, and takes those of
 * others: a pipeline that has more tuples than a bolt can execute holds back itself, and nobody else. Once more as many elements are in a
 * lane at most, those that were in the queue when it became full.
 *
 * <p>Tuples of other workers that are refused are in the overflow list, in order. While there are some, a lane counts as full at three
 * quarters. The consumer takes them as soon as no lane is full, and before producers of this worker may fill one again.
 *
 * <p>While targets do not apply, all elements keep their order, in the first lane.
 */
final class DeadlineQueue extends WakingQueue {

    /** After so many tuples the consumer looks for more urgent ones. */
    private static final int EXECUTED_AT_ONCE = 8;
    /** Which part of a lane is for the overflow list, if that has elements. */
    private static final int FOR_OVERFLOW = 4;
    private static final int ALL_LANES = (1 << Lanes.MOST) - 1;
    /** With so many times the capacity in all lanes the consumer takes no more: Storm's timers insert ticks whatever is full. */
    private static final int MOST_HELD = 2 * Lanes.MOST;

    private final int capacity;
    private final SpaceSignal space;
    private final BooleanSupplier targetsApply;
    /** Whether all elements always keep their order. Written before the consumer starts. */
    private boolean keepsOrder;
    /** Whether the lanes' elements were sorted by target; if not, all are in the first lane. For the consumer. */
    private boolean areSorted;
    /** The lanes, the elements without a deadline that are next, and what gathers them. For the consumer, as is all that they hold. */
    private final Deque<Object>[] lanes;
    private final Deque<Object> next = new ArrayDeque<>();
    private final Consumer gathering = new Gathering();
    private ExitCondition ofLook;
    /** Whether the lanes wait to become empty, since targets begin or cease to apply. */
    private boolean isSwitching;
    private boolean hasRoomForOverflow;
    private final ExitCondition whileThereIsRoom = () -> held() < MOST_HELD * capacity() && ofLook.keepRunning();
    /** How many elements are in the lanes. Written by the consumer. */
    private final AtomicInteger held = new AtomicInteger();
    /** A bit for each lane that is full. Written by the consumer, rarely, and read by producers at each tuple. */
    private volatile int full;
    /** How many elements the longest lane had at the last measurement. Written by the consumer. */
    private final AtomicInteger longest = new AtomicInteger();

    /** An element without a deadline. It is in all lanes that had elements when it came, and is next when it is the first in each. */
    private static final class Barrier {
        private final Object element;
        private int lanesBefore;

        Barrier(Object element) {
            this.element = element;
        }
    }

    /**
     * An empty queue; see {@link WakingQueue}.
     *
     * @param targetsApply whether tuples with different targets may overtake each other; called by the consumer
     */
    @SuppressWarnings("unchecked") // Arrays of generic types cannot be made otherwise.
    DeadlineQueue(QueueRequest request, SpaceSignal space, BooleanSupplier targetsApply) {
        super(request, true, space);
        this.space = space;
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

    /** That of the longest lane: at 1 its senders wait. */
    @Override
    public double getQueueLoad() {
        return Math.min(1, (double) (super.getQueuedCount() + longest.getOpaque()) / capacity);
    }

    @Override
    protected boolean refuses(Object element) {
        int which = full;
        if (which == 0) {
            return false;
        }
        long deadlineNs = deadlineNs(element);
        return deadlineNs == 0 ? isMessage(element) : (which & 1 << Deadlines.laneOf(deadlineNs)) != 0;
    }

    private static boolean isMessage(Object element) {
        return element instanceof AddressedTuple tuple && !Constants.SYSTEM_COMPONENT_ID.equals(tuple.getTuple().getSourceComponent());
    }

    /** Leaves them to be inserted one by one, if they have to be looked at. */
    @Override
    @SuppressWarnings("NonApiType") // Upstream's queue inserts an ArrayList.
    public void receive(ArrayList<Object> tuples) {
        if (full == 0) {
            super.receive(tuples);
        }
    }

    @Override
    public boolean tryReceive(Object tuple) {
        return tryPublishDirect(tuple);
    }

    @Override
    protected boolean takesOverflow() {
        return hasRoomForOverflow;
    }

    @Override
    public int overflowDue(int overflowed) {
        int due = super.overflowDue(overflowed);
        return hasRoomForOverflow ? Math.min(due, capacity) : 0;
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
            if (getOverflowCount() == 0) { // If not, the overflow list gets the room that there is first.
                measure(); // Producers that wait for space are woken next.
            }
        }
        return executed;
    }

    /** Fills the lanes. When targets begin or cease to apply, what is in the lanes is executed first, so that it is not overtaken. */
    private void gather() {
        boolean sorts = !keepsOrder && targetsApply.getAsBoolean();
        if (held() == 0) {
            areSorted = sorts;
        }
        isSwitching = areSorted != sorts;
        if (!isSwitching) {
            hasRoomForOverflow = fullLanes(capacity - capacity / FOR_OVERFLOW) == 0;
            super.look(gathering, whileThereIsRoom);
        }
        measure();
    }

    /** Lets producers know which lanes are full. */
    private void measure() {
        int size = next.size();
        for (Deque<Object> lane : lanes) {
            size = Math.max(size, lane.size());
        }
        longest.lazySet(size);
        int before = full;
        int which = isSwitching ? ALL_LANES : fullLanes(getOverflowCount() == 0 ? capacity : capacity - capacity / FOR_OVERFLOW);
        if (which != before) { // Producers read it at each tuple.
            full = which;
            if ((before & ~which) != 0) {
                space.signal();
            }
        }
    }

    private int fullLanes(int most) {
        int which = next.size() >= most ? ALL_LANES : 0;
        for (int lane = 0; lane < lanes.length; lane++) {
            if (lanes[lane].size() >= most) {
                which |= bit(lane);
            }
        }
        return which;
    }

    private int bit(int lane) {
        return areSorted ? 1 << lane : ALL_LANES;
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

    /** Takes the element without a deadline that is next; if there is none, the tuple with the earliest deadline. */
    private Object take() {
        Deque<Object> first = null;
        long firstNs = Long.MAX_VALUE;
        for (Deque<Object> lane : lanes) {
            Object head = tuple(lane);
            if (head != null && deadlineNs(head) < firstNs) {
                firstNs = deadlineNs(head);
                first = lane;
            }
        }
        return next.isEmpty() ? first.poll() : next.poll();
    }

    /** The first tuple of a lane; null if it has none. Elements without a deadline that come before it have come to the end of the lane. */
    private Object tuple(Deque<Object> lane) {
        Object head = lane.peek();
        while (head instanceof Barrier barrier) {
            lane.poll();
            if (--barrier.lanesBefore == 0) {
                next.add(barrier.element);
            }
            head = lane.peek();
        }
        return head;
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
                addBarrier(element);
            } else {
                add(element, areSorted ? Deadlines.laneOf(deadlineNs) : 0);
            }
            held.lazySet(held() + 1);
        }

        private void add(Object element, int lane) {
            lanes[lane].add(element);
            if (lanes[lane].size() == capacity()) { // Producers must not fill the queue again before the end of the look.
                full |= bit(lane);
            }
        }

        private void addBarrier(Object element) {
            Barrier barrier = new Barrier(element);
            for (Deque<Object> lane : lanes) {
                if (!lane.isEmpty()) {
                    lane.add(barrier);
                    barrier.lanesBefore++;
                }
            }
            if (barrier.lanesBefore == 0) {
                next.add(element);
            }
        }

        @Override
        public void flush() {
            // Elements are handed over later.
        }
    }
}
