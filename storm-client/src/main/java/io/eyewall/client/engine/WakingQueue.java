package io.eyewall.client.engine;

import io.eyewall.client.seam.GroupInsertion;
import io.eyewall.client.seam.OverflowAccess;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.ReceivingQueue;
import io.eyewall.client.seam.WakingEmits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.storm.utils.JCQueue;

/**
 * A queue whose consumer is woken by the producer of the next element. The consumer may park without a time limit once {@link #consume} has
 * returned 0 twice in a row. The second call consumes what was published before it found the queue empty, and what is published later
 * unparks the thread that made the call. After the first 0 the consumer may only {@linkplain ParkingWaitStrategy nap}: a wake-up costs the
 * producer more than a tuple does, and under load a batch gathers during the nap. A consumer that {@linkplain #napFor naps more often} may
 * park only after as many further calls.
 *
 * <p>The flag and the queue are a Dekker pair. The consumer raises the flag and then looks into the queue once more; a producer inserts and
 * then looks at the flag. Both accesses of each are ordered, so that at least one of them sees the other.
 *
 * <p>Tuples from another worker go into the queue at once and not into a producer's batch: they come in groups, and no timer flushes the
 * batches of threads that receive.
 *
 * <p>A producer that finds the queue full and {@linkplain FullQueueWaitStrategy waits} is woken when half of the queue has been taken, or
 * all that it held. Other workers that hold back because their tuples are in the overflow list are notified when it is empty.
 */
public class WakingQueue extends JCQueue implements ReceivingQueue {

    /** The number of ints in two cache lines, since processors fetch them in pairs. */
    private static final int CACHE_LINES_INTS = 32;
    /** How many elements are still to be taken until the next check, and whether a look has come to the overflow list. */
    private static final int UNTIL_CHECK = CACHE_LINES_INTS;
    private static final int IS_BESIDE = CACHE_LINES_INTS + 1;
    /** How often the consumer checks the overflow list while it takes as many elements as the queue holds. */
    private static final int CHECKS = 8;
    private static final int NONE_AHEAD = -1;
    /** How often a group is inserted as far as there is room. What is left then goes one by one. */
    private static final int PASSES = 2;
    private static final long NONE_DUE = -1;
    private static final Queue<Object> EMPTY = new ArrayDeque<>(0);

    private final boolean wakes;
    /** The consumer, once it has found the queue empty. Written by the consumer before the flag, read by producers after it. */
    private Thread consumer;
    /** Ends the consumer's wait. Written before its first look. */
    private Runnable waker = () -> LockSupport.unpark(consumer);
    /** Raised by the consumer when it finds the queue empty again, lowered by the producer that wakes it. */
    private final AtomicBoolean waiting = new AtomicBoolean();
    /** How many naps there are before producers wake the consumer. Written before its first look. */
    private int naps = 1;
    /** How many looks in a row found the queue empty, {@link #naps} at most. Only for the consumer. */
    private int emptyLooks;
    /** The condition of the current look. Only for the consumer. */
    private ExitCondition condition;
    private final ExitCondition conditionUnlessAsked = this::goesOn;
    private final ExitCondition mayGoOn = this::mayGoOn;
    /** Whether the consumer must return. */
    private volatile boolean asked;
    /** Emits for which the consumer must not wait. Written before its first look. */
    private Queue<?> emits = EMPTY;
    /** Learns of each element before it wakes the consumer; null for none. Written before the first look. */
    private ArrivalListener arrivals;
    /** Ends a look although the queue is not empty; null if it never does. Written before the first look. */
    private BooleanSupplier turnIsOver;

    /** Whether producers collect tuples before they insert them. */
    private final boolean hasBatches;
    /** How many tuples of a loop may be in the overflow list: the rest of its limit is for other workers, whose tuples are dropped then. */
    private final long overflowOfLoop;
    /** The loop of the consumer's bolt; null if it is in none. Written before the consumer's first look. */
    private volatile BoltLoop loop;

    private final SpaceSignal space;
    private final BooleanSupplier isOverflowEmpty = this::isEmptyOverflow;
    /** The end of the overflow list at the check that found it not empty, as a position in it. Only for the consumer. */
    private long overflowedBefore;
    /** How many elements that were in the queue at this check are still to be taken after the next one. Only for the consumer. */
    private int ahead = NONE_AHEAD;
    /** How many elements of the overflow list this look may still take before the queue is empty; negative to take the queue's. */
    private long overflowDue = NONE_DUE;
    /** After how many elements the consumer checks the overflow list, and after how many checks it wakes waiting producers. */
    private final int checkAfter;
    private final int signalAfter;
    private int checks;
    /**
     * What the consumer writes at each element or look, in the middle of the array. Among the other fields it would take their cache line
     * from the producers, which read them at each element. Only for the consumer.
     */
    private final int[] counters = new int[2 * CACHE_LINES_INTS];

    /**
     * An empty queue.
     *
     * @param wakes whether producers wake the consumer. If not, it must not park; it still returns when it is {@linkplain #askToReturn
     *     asked to}
     * @param space wakes producers when there is space
     */
    public WakingQueue(QueueRequest request, boolean wakes, SpaceSignal space) {
        super(request.queueName(), request.metricName(), request.sizeTuples(), request.overflowLimitTuples(),
            request.producerBatchTuples(), request.backPressureWait(), request.topologyId(), request.componentId(), request.taskIds(),
            request.port(), request.metrics());
        this.wakes = wakes;
        this.space = space;
        hasBatches = request.producerBatchTuples() > 1;
        overflowOfLoop = request.overflowLimitTuples() == 0 ? Long.MAX_VALUE : (request.overflowLimitTuples() + 1) / 2;
        checkAfter = Math.max(1, request.sizeTuples() / CHECKS);
        signalAfter = Math.max(1, request.sizeTuples() / 2 / checkAfter);
        counters[UNTIL_CHECK] = checkAfter;
    }

    @Override
    public int consume(Consumer elements, ExitCondition exitCondition) {
        if (condition != exitCondition) { // Writing it each time would take its cache line from the producers.
            condition = exitCondition;
        }
        int consumed = look(elements, conditionUnlessAsked);
        if (consumed == 0 && emptyLooks == naps && wakes && !waiting.get()) {
            consumer = Thread.currentThread();
            raise();
            consumed = look(elements, conditionUnlessAsked);
            if (consumed == 0 && !emits.isEmpty()) {
                wake(); // Ends its own wait before that begins.
            }
        }
        int empty = consumed == 0 && !asked ? Math.min(emptyLooks + 1, naps) : 0;
        if (empty != emptyLooks) {
            emptyLooks = empty;
        }
        if (consumed > 0) {
            space.signal();
        }
        space.consumed(isOverflowEmpty);
        return consumed;
    }

    /**
     * Makes the consumer return from {@link #consume} after its current element, even if the queue is not empty. It gets no further element
     * until it {@linkplain #goOn continues}. For any thread.
     */
    public void askToReturn() {
        asked = true;
        waker.run();
    }

    /** Called by the consumer, on its thread, when it has seen why it was asked to return. */
    public void goOn() {
        if (asked) { // The flag is rarely set, and a write costs more than the read.
            asked = false;
        }
    }

    /** Called when the consumer will end. Until then it executes only elements that are for it alone. For any thread. */
    public void retire() {
        // All elements here are for it alone.
    }

    /**
     * Takes all elements for a consumer that has ended. When a producer that still knows the queue inserts another element, {@code onMore}
     * runs on that producer's thread, and this method must be called again. Each element is either taken here or announced by {@code
     * onMore}. For one thread at a time, after the last {@link #consume} of the old consumer.
     *
     * @return how many were taken
     */
    public int drain(java.util.function.Consumer<Object> elements, Runnable onMore) {
        lower();
        asked = false;
        waker = onMore;
        Consumer each = new Consumer() {
            @Override
            public void accept(Object element) {
                elements.accept(element);
            }

            @Override
            public void flush() {
                // Elements are taken one by one.
            }
        };
        int drained = 0;
        int taken;
        do {
            taken = look(each, () -> true);
            if (taken == 0) {
                raise();
                taken = look(each, () -> true);
                if (taken > 0) {
                    lower();
                }
            }
            drained += taken;
        } while (taken > 0);
        space.signal();
        space.consumed(isOverflowEmpty);
        return drained;
    }

    @Override
    public void publish(Object element) throws InterruptedException {
        super.publish(element);
        arrived(element);
        wake();
    }

    @Override
    public boolean tryPublish(Object element) {
        BoltLoop in = loop;
        if (in != null && !in.isOff()) {
            if (in.hasEmitted(element)) {
                return publishInLoop(element, in);
            }
            if (in.registerIfOverflows()) {
                return false;
            }
        }
        if (refuses(element) || !super.tryPublish(element)) {
            space.register();
            return wakeIf(!refuses(element) && super.tryPublish(element), element);
        }
        arrived(element);
        wake();
        return true;
    }

    @Override
    public boolean tryPublishDirect(Object element) {
        return wakeIf(!refuses(element) && super.tryPublishDirect(element), element);
    }

    /** Whether there is no room for an element, although there may be for others. For any thread. */
    protected boolean refuses(Object element) {
        return false;
    }

    /** Whether the consumer has room for elements of the overflow list. For its thread. */
    protected boolean takesOverflow() {
        return true;
    }

    /** Inserts a tuple that stays in the loop, behind those that have overflowed. */
    private boolean publishInLoop(Object element, BoltLoop in) {
        if (tryPublishInLoop(element, in)) {
            return wakeIf(true, element);
        }
        space.register();
        return wakeIf(tryPublishInLoop(element, in), element);
    }

    private boolean tryPublishInLoop(Object element, BoltLoop in) {
        if (!hasOverflow() && !refuses(element) && super.tryPublish(element)) {
            return true;
        }
        if (super.getOverflowCount() >= overflowOfLoop || !super.tryPublishToOverflow(element)) {
            return false;
        }
        in.overflowed();
        space.overflowed();
        return true;
    }

    /** Whether the overflow list has elements. */
    boolean hasOverflow() {
        return !super.isEmptyOverflow();
    }

    /** Whether neither the overflow list of this queue has elements, nor one of the {@linkplain BoltLoop loop} to which it belongs. */
    @Override
    public boolean isEmptyOverflow() {
        BoltLoop in = loop;
        return super.isEmptyOverflow() && (in == null || !in.overflows());
    }

    /** Inserts an element and wakes nobody; the producer {@linkplain #wake wakes} the consumer then. */
    boolean tryPublishAsleep(Object element) {
        return super.tryPublishDirect(element);
    }

    /** Ends the consumer's wait, also one that it has set itself. For any thread. */
    void hurry() {
        waker.run();
    }

    /** Registers the calling thread, which found no space: it is woken when there is some. It must try once more before it waits. */
    void registerForSpace() {
        space.register();
    }

    /** Wakes the consumer once, when all are in the queue. */
    @Override
    @SuppressWarnings("NonApiType") // Upstream's queue inserts an ArrayList.
    public void receive(ArrayList<Object> tuples) {
        int before = tuples.size();
        // Upstream inserts what fits by what the queue last knew of its consumer, and looks anew only if that is nothing.
        for (int pass = 0; pass < PASSES && !tuples.isEmpty(); pass++) {
            List<Object> group = tuples.subList(0, ((GroupInsertion) this).insertGroup(tuples));
            if (arrivals != null) {
                group.forEach(arrivals::arrived);
            }
            group.clear();
        }
        if (tuples.size() < before) {
            wake();
        }
    }

    @Override
    public boolean tryPublishToOverflow(Object element) {
        boolean published = super.tryPublishToOverflow(element);
        space.overflowed();
        return wakeIf(published, element);
    }

    @Override
    public void flush() throws InterruptedException {
        super.flush();
        wake();
    }

    @Override
    public boolean tryFlush() {
        boolean flushed = super.tryFlush();
        if (flushed) {
            wake();
        }
        return flushed;
    }

    /** Wakes the consumer if it waits; returns whether it did. */
    public boolean wake() {
        boolean woken = lower();
        if (woken) {
            waker.run();
        }
        return woken;
    }

    /** Sets how often the consumer naps before producers wake it; 1 by default. Called before its first look. */
    public void napFor(int looks) {
        naps = looks;
    }

    /**
     * Keeps the consumer from waiting while there are emits, and wakes it for each one that another thread adds. Called before its first
     * look.
     */
    void wakeForEmits(WakingEmits emits) {
        this.emits = emits;
        emits.wakeBy(this::wake);
    }

    /** Sets the {@code waker} that wakes the consumer, on the producer's thread, in place of an unpark. Called before its first look. */
    public void wakeBy(Runnable waker) {
        this.waker = waker;
    }

    /**
     * Has tuples that stay in a loop of bolts overflow when the queue is full, so that the loop does not stand still, if all queues of the
     * loop {@linkplain #canRefuse can refuse} tuples. Called before the first look.
     */
    void join(BoltLoop bolts) {
        if (canRefuse()) {
            bolts.add(this);
            loop = bolts;
        } else {
            bolts.switchOff();
        }
    }

    /** Whether {@link #tryPublish} sees each tuple of a producer; not where producers collect tuples: those at hand would be overtaken. */
    protected boolean canRefuse() {
        return !hasBatches;
    }

    /** Has a listener learn of each element that a producer inserts by itself, not in a batch. Called before the first look. */
    public void announceTo(ArrivalListener listener) {
        arrivals = listener;
    }

    /** Ends each look as soon as {@code isOver} returns true, which is called before each element. Called before the first look. */
    public void endTurnsWhen(BooleanSupplier isOver) {
        turnIsOver = isOver;
    }

    /** Hands over the elements that are there, on the consumer's thread; returns how many. */
    protected int look(Consumer elements, ExitCondition exitCondition) {
        if (overflowDue != NONE_DUE) {
            overflowDue = NONE_DUE;
        }
        counters[IS_BESIDE] = 0;
        return super.consume(elements, exitCondition);
    }

    /** Raises the consumer's flag. */
    protected void raise() {
        waiting.set(true);
    }

    /** Lowers the flag; returns whether it was up. */
    protected boolean lower() {
        return waiting.get() && waiting.compareAndSet(true, false);
    }

    /**
     * The condition for a consumer that takes the elements of a {@link #look} out of the queue together, and then hands them over one by
     * one.
     */
    protected ExitCondition betweenElements(ExitCondition ofLook) {
        return ofLook == conditionUnlessAsked ? mayGoOn : ofLook;
    }

    private boolean mayGoOn() {
        return !asked && condition.keepRunning() && (turnIsOver == null || !turnIsOver.getAsBoolean());
    }

    /** Called before each element of a look, and at its end. */
    private boolean goesOn() {
        if (!mayGoOn()) {
            return false;
        }
        if (counters[IS_BESIDE] != 0) {
            return true; // Upstream takes as many as are due.
        }
        if (--counters[UNTIL_CHECK] > 0) {
            return true;
        }
        if (++checks >= signalAfter) {
            checks = 0;
            space.signal();
        }
        overflowDue = dueBeside();
        return overflowDue == NONE_DUE; // If not, upstream goes on with the overflow list.
    }

    /**
     * How many elements of the overflow list to take although the queue is not empty. Upstream takes them when the queue is empty. With a
     * slow consumer and fast producers in its worker it never is, and tuples from other workers would wait for ever. The elements that are
     * due were in the list at an earlier check, and all that was in the queue at that time has been taken. So the elements of one producer
     * keep their order.
     */
    private long dueBeside() {
        counters[UNTIL_CHECK] = checkAfter;
        if (ahead == NONE_AHEAD) {
            if (super.isEmptyOverflow()) {
                return NONE_DUE;
            }
            overflowedBefore = ((OverflowAccess) this).getOverflowQ().currentProducerIndex();
            ahead = super.getQueuedCount();
        }
        if (ahead > 0) {
            int next = Math.min(checkAfter, ahead);
            ahead -= next;
            counters[UNTIL_CHECK] = next;
            return NONE_DUE;
        }
        long due = overflowedBefore - ((OverflowAccess) this).getOverflowQ().currentConsumerIndex();
        if (due <= 0 || super.getQueuedCount() == 0) { // Upstream may be taking them already, and would end the look without any.
            ahead = NONE_AHEAD;
            return NONE_DUE;
        }
        if (!takesOverflow()) {
            return NONE_DUE;
        }
        counters[UNTIL_CHECK] = 1; // If the look ends before all are taken, the next one goes on with them.
        return due;
    }

    /**
     * How many elements of the overflow list upstream takes next, of those that are there. If it has found the queue empty, a producer may
     * have filled it since, and gone on with the list. In order to keep that producer's elements in order, nothing is taken then.
     */
    public int overflowDue(int overflowed) {
        counters[IS_BESIDE] = 1;
        if (overflowDue != NONE_DUE) {
            return (int) Math.min(overflowDue, overflowed);
        }
        return overflowed > 0 && super.getQueuedCount() > 0 ? 0 : overflowed;
    }

    private boolean wakeIf(boolean published, Object element) {
        if (published) {
            arrived(element);
            wake();
        }
        return published;
    }

    private void arrived(Object element) {
        if (arrivals != null) {
            arrivals.arrived(element);
        }
    }
}
