package io.eyewall.client.deadline;

import io.eyewall.client.deadline.Lanes.MessageTarget;
import io.eyewall.client.deadline.Lanes.MessageTargets;
import io.eyewall.client.engine.ArrivalListener;
import io.eyewall.client.seam.DeadlineHolder;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Constants;
import org.apache.storm.topology.TupleFieldTimestampExtractor;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.windowing.TimestampExtractor;

/**
 * How urgent the input of one executor is. Producers lower the time at which the executor should begin; the thread that has the executor's
 * turn starts anew with each turn. A hint, not a promise: an executor whose time is lost is as urgent as a tuple that has just been
 * emitted, and becomes more urgent while it waits.
 */
public final class Urgency implements ArrivalListener {

    private static final long NOTHING_WAITS = Long.MAX_VALUE;
    /** Above this load no tuple waits for its window: the queue must be emptied before it holds its senders back. */
    private static final double MAX_QUEUE_LOAD = 0.25;
    /** The number of longs in two cache lines, since processors fetch them in pairs. */
    private static final int CACHE_LINES_LONGS = 16;
    /** How many messages in a row have the same present: reading the clock takes longer than the rest of what a deadline costs. */
    private static final int MESSAGES_PER_READING = 8;

    private final Deadlines deadlines;
    private final int operator;
    /** The target and the lane of a tuple without a deadline. */
    private final long targetNs;
    private final int lane;
    /** Those of messages, if the executor is a spout's. */
    private final MessageTargets messages;
    private final Tokens tokens;
    private final JCQueue queue;
    /** Null if the operator has no windows that end by time. */
    private final WindowEnds windows;
    /** Null unless windows end by the tuples' own times, and those can be read. Written when the executor's tasks are made. */
    private volatile EventTimeWindows dated;
    /** Whether a task of the executor has windows that end by the tuples' own times. Guarded by this object. */
    private boolean hasDatedTask;
    /** When the most urgent tuple that waits should begin. */
    private final AtomicLong waitingNs = new AtomicLong(NOTHING_WAITS);
    /** Called when a tuple makes a waiting executor more urgent. Written before the executor starts. */
    private Runnable raised = () -> { };
    /**
     * The deadline of the tuple that was executed or emitted last, or 0, in the middle of the array. For the executor's thread; other
     * threads that emit read it. It is written at each tuple: among the other fields it would take their cache line from the producers,
     * which read them at each tuple.
     */
    private final long[] current = new long[2 * CACHE_LINES_LONGS];
    /** Whether that deadline is a tick's. For the executor's thread. */
    private boolean isOfTick;
    /** The present as it was read last, and below, how many messages may still use it. For the thread of the turn. */
    private long presentNs;
    private int messagesUntilReading;
    /** Whether the executor looks at the clock in its turns. Written before it starts. */
    private boolean hasTurns;
    /** The thread that executes tuples. Another one that emits has a window fire. Written only if there are windows. */
    private Thread executing;

    Urgency(Deadlines deadlines, String component, Tokens tokens, JCQueue queue) {
        this.deadlines = deadlines;
        operator = deadlines.operator(component);
        this.tokens = tokens;
        this.queue = queue;
        long slideNs = deadlines.slideNs(operator);
        windows = slideNs == 0 ? null : new WindowEnds(slideNs);
        targetNs = deadlines.lanes().targetNs(operator);
        lane = deadlines.lanes().lane(operator);
        messages = deadlines.lanes().ofMessages(component);
    }

    /**
     * The executor gets turns, of which this object must learn. Called before it starts.
     *
     * @param raised called on the producer's thread when the executor becomes more urgent
     */
    public void whenRaised(Runnable raised) {
        this.raised = raised;
        hasTurns = true;
    }

    /** The windows of a task end by its tuples' own times. Called for each such task before it executes a tuple. */
    synchronized void dated(TimestampExtractor timestamps) {
        if (queue instanceof DeadlineQueue lanes) {
            lanes.keepOrder(); // The bolt drops tuples that are older than those that have overtaken them.
        }
        // Users' own extractors are for the task's thread alone.
        if (windows != null && (hasDatedTask || timestamps instanceof TupleFieldTimestampExtractor)) {
            EventTimeWindows its = new EventTimeWindows(deadlines, deadlines.windowProgress(operator), timestamps);
            if (hasDatedTask) { // A tuple that has a window fire must not be held for the window of another task.
                its.holdNothing();
            }
            dated = its;
        }
        hasDatedTask = true;
    }

    @Override
    public void arrived(Object element) {
        if (element instanceof AddressedTuple addressed && addressed.getTuple() instanceof DeadlineHolder tuple) {
            EventTimeWindows known = dated;
            if (known != null && !isStorms(addressed.getTuple())) {
                known.arrived(addressed.getTuple());
            }
            long deadlineNs = tuple.getEyewallDeadlineNs();
            lower((deadlineNs == 0 ? missingNs(addressed.getTuple()) : untilNs(deadlineNs)) - deadlines.leadNs(operator));
        }
    }

    /** The index of the executor's operator. */
    int operator() {
        return operator;
    }

    /** When the executor should have its turn, in nanoseconds of the worker's time. For any thread. */
    public long beginNs() {
        long waiting = waitingNs.get();
        if (waiting != NOTHING_WAITS && (windows != null || (deadlines.areShares() && messages == null))) {
            return waiting; // It may be more distant than that of a new message.
        }
        long presentNs = deadlines.presentNs();
        long untilNs = deadlines.areInForce() ? tokens.untilDeadlineNs(presentNs, targetNs) : deadlines.lanes().longestTargetNs();
        return Math.min(waiting, presentNs + untilNs - deadlines.leadNs(operator));
    }

    /** The executor's turn begins; on the thread of the turn. */
    public void turnBegins() {
        clockRead();
        waitingNs.set(NOTHING_WAITS);
    }

    /** The executor has looked at the clock, after a call or more; on the thread of the turn. */
    public void clockRead() {
        messagesUntilReading = 0;
    }

    /**
     * The executor's turn ends; on the thread of the turn.
     *
     * @param inputLeft whether it has not taken all of its input. The next tuple is about as urgent as the last one
     */
    public void turnEnds(boolean inputLeft) {
        if (!inputLeft) {
            waitingNs.set(NOTHING_WAITS);
        } else if (lastNs() != 0) {
            lower(untilNs(lastNs()) - deadlines.leadNs(operator));
        }
    }

    /** The deadline of what the executor emits now, or 0. The results of a window have a target from when it fires. */
    long currentNs() {
        return windows == null || Thread.currentThread() == executing ? lastNs() : firingNs();
    }

    private long lastNs() {
        return current[CACHE_LINES_LONGS];
    }

    private void setLastNs(long deadlineNs) {
        current[CACHE_LINES_LONGS] = deadlineNs;
    }

    private long firingNs() {
        long firedNs = windows.fires(deadlines.nowNs());
        int its = lastNs() == 0 ? lane : Deadlines.laneOf(lastNs());
        long itsTargetNs = deadlines.areInForce() ? deadlines.lanes().targetOfLaneNs(its) : deadlines.lanes().longestTargetNs();
        return deadlines.deadlineAtNs(firedNs + itsTargetNs, its);
    }

    /** A bolt acks a tuple, which it does when a window fires, too. */
    void acking() {
        if (windows != null && Thread.currentThread() != executing) {
            long unused = windows.fires(deadlines.nowNs());
        }
    }

    /** A tuple that waits for the end of a window does so only while there is space for those behind it. */
    private long untilNs(long deadlineNs) {
        if (windows == null || queue.getQueueLoad() > MAX_QUEUE_LOAD) {
            return deadlineNs;
        }
        EventTimeWindows known = dated;
        return known == null ? windows.untilNs(deadlineNs) : known.untilNs(deadlineNs);
    }

    /** A spout is about to emit a message. A stream has the same lane whether targets apply or not, so that it keeps its order. */
    void emittingMessage(String stream) {
        MessageTarget message = messages.of(stream);
        if (message == null) {
            return; // Storm refuses to emit to that stream.
        }
        if (messagesUntilReading == 0) {
            presentNs = deadlines.presentNs();
            messagesUntilReading = hasTurns && !deadlines.areShares() ? MESSAGES_PER_READING : 1;
        }
        messagesUntilReading--;
        long untilNs = deadlines.areInForce() ? untilNs(message) : deadlines.lanes().longestTargetNs();
        setLastNs(deadlines.deadlineAtNs(presentNs + untilNs, message.lane()));
    }

    private long untilNs(MessageTarget message) {
        return message.takesTokens() ? tokens.take(presentNs, message.ns()) : message.ns();
    }

    /** A bolt is about to execute a tuple. What it then emits is as urgent as that. */
    void executing(Tuple tuple) {
        if (windows != null) {
            executing = Thread.currentThread();
            EventTimeWindows known = dated;
            if (known != null && !isStorms(tuple)) {
                known.executing(tuple);
            }
        }
        long deadlineNs = ((DeadlineHolder) tuple).getEyewallDeadlineNs();
        if (deadlineNs != 0) {
            setLastNs(deadlineNs);
            if (isOfTick) {
                isOfTick = false;
            }
        } else if (!isStorms(tuple)) {
            setLastNs(deadlines.arrivingDeadlineNs(targetNs, lane));
        } else if (lastNs() == 0 || isOfTick) { // A tick has bolts emit what the tuples before it were for, if there were any.
            setLastNs(deadlines.deadlineNs(targetNs, lane));
            isOfTick = true;
        }
    }

    private void lower(long beginNs) {
        for (long known = waitingNs.get(); beginNs < known; known = waitingNs.get()) {
            if (waitingNs.compareAndSet(known, beginNs)) {
                raised.run();
                return;
            }
        }
    }

    private long missingNs(Tuple tuple) {
        return deadlines.presentNs() + (isStorms(tuple) ? 0 : targetNs);
    }

    private static boolean isStorms(Tuple tuple) {
        return Constants.SYSTEM_COMPONENT_ID.equals(tuple.getSourceComponent());
    }
}
