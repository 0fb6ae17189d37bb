package io.eyewall.tail.shared;

import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.woven.WovenProbes;
import java.util.ArrayList;
import java.util.Arrays;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.Utils;

/**
 * The queue of one executor that shares tuples with others. Tuples for one of its tasks go to the {@link SharedTuples} of all executors.
 * The executor's own elements (ticks, flushes, metrics, credentials) stay here, and so do all elements while sharing is switched off. The
 * executor takes its own elements first, then shared tuples, which it executes as a task of its own.
 *
 * <p>If executors wake on arrival, a producer looks at the flags of all of them after its insertion, and wakes one that waits.
 *
 * <p>An executor that leaves the worker leaves the shared tuples to the others. The last executor executes them; those that it has not
 * executed are {@linkplain #drain drained} with its own.
 */
final class SharingQueue extends WakingQueue {

    /** How many shared tuples the executor takes before it looks for its own elements again. */
    private static final int SHARED_AT_ONCE = 16;

    private final int[] tasks;
    private final SharedTuples shared;
    /** Hands elements on. This field and the next one are for the executor's thread. */
    private final Awake awake = new Awake();
    private int nextTask;
    private volatile boolean retired;
    /** Whether the executor has ended: its flag is not counted among those of the executors that wait. Written while the flag is down. */
    private volatile boolean drained;

    SharingQueue(QueueRequest request, SharedTuples shared, boolean wakesOnArrival) {
        super(request, wakesOnArrival, shared.space().another());
        tasks = request.taskIds().stream().mapToInt(Integer::intValue).toArray();
        this.shared = shared;
    }

    /** The tuples that are shared. */
    SharedTuples shared() {
        return shared;
    }

    @Override
    public int consume(Consumer elements, ExitCondition exitCondition) {
        lower();
        awake.elements = elements;
        int consumed = super.consume(awake, exitCondition);
        shared.consumed(consumed);
        return consumed;
    }

    @Override
    public boolean tryPublish(Object element) {
        if (!isShared(element)) {
            return super.tryPublish(element);
        }
        if (!share(element)) {
            shared.space().register();
            return share(element);
        }
        return true;
    }

    /** Shared tuples go to a queue of all executors. */
    @Override
    protected boolean canRefuse() {
        return false;
    }

    /** Shared tuples enter one by one, since each may wake another executor. */
    @Override
    @SuppressWarnings("NonApiType") // Upstream's queue inserts an ArrayList.
    public void receive(ArrayList<Object> tuples) {
        if (!shared.isOn()) {
            super.receive(tuples);
            return;
        }
        int taken = 0;
        while (taken < tuples.size() && takes(tuples.get(taken))) {
            taken++;
        }
        tuples.subList(0, taken).clear();
    }

    @Override
    public boolean tryPublishToOverflow(Object element) {
        if (!isShared(element)) {
            return super.tryPublishToOverflow(element);
        }
        WovenProbes.overflowing(this, element);
        return shared.offerToOverflow((AddressedTuple) element);
    }

    @Override
    public boolean isEmptyOverflow() {
        return super.isEmptyOverflow() && !(takesShared() && shared.overflowed() > 0);
    }

    @Override
    public int getOverflowCount() {
        return super.getOverflowCount() + (takesShared() ? shared.overflowed() : 0);
    }

    @Override
    public int getQueuedCount() {
        return super.getQueuedCount() + (takesShared() ? shared.queued() : 0);
    }

    @Override
    public int size() {
        return getQueuedCount() + getOverflowCount();
    }

    /** All members report the load of the shared tuples if that is more than their own. */
    @Override
    public double getQueueLoad() {
        return Math.max(shared.load(), super.getQueueLoad());
    }

    @Override
    public void retire() {
        retired = true;
        shared.part(this);
    }

    @Override
    public int drain(java.util.function.Consumer<Object> elements, Runnable onMore) {
        retire();
        lower();
        drained = true;
        shared.leaveTo(onMore);
        int taken = super.drain(elements, onMore);
        shared.consumed(taken);
        return taken;
    }

    @Override
    public void close() {
        super.close();
        retire();
    }

    @Override
    protected int look(Consumer elements, ExitCondition exitCondition) {
        return super.look(elements, exitCondition) + takeShared(elements, exitCondition);
    }

    @Override
    protected void raise() {
        if (drained) {
            super.raise();
        } else if (!retired) { // The executor is woken when it ends.
            shared.raised();
            super.raise();
        }
    }

    @Override
    protected boolean lower() {
        boolean lowered = super.lower();
        if (lowered && !drained) {
            shared.lowered();
        }
        return lowered;
    }

    private int takeShared(Consumer elements, ExitCondition exitCondition) {
        if (!takesShared()) {
            shared.leave();
            return 0;
        }
        int taken = 0;
        while (taken < SHARED_AT_ONCE) {
            if (!exitCondition.keepRunning()) {
                shared.leave();
                break;
            }
            AddressedTuple tuple = shared.poll();
            if (tuple == null) {
                break;
            }
            elements.accept(asOwn(tuple));
            taken++;
        }
        if (taken > 0) {
            try {
                elements.flush();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("The executor of tasks " + Arrays.toString(tasks) + " was interrupted while it flushed"
                    + " what its tasks emitted, as it is when its worker ends. If the worker goes on, restart it.", e);
            }
        }
        return taken;
    }

    private boolean takesShared() {
        return !retired || !shared.hasMembers();
    }

    private boolean takes(Object tuple) {
        return isShared(tuple) ? share(tuple) : tryPublishDirect(tuple);
    }

    private AddressedTuple asOwn(AddressedTuple tuple) {
        for (int task : tasks) {
            if (task == tuple.dest) {
                return tuple;
            }
        }
        nextTask = nextTask + 1 < tasks.length ? nextTask + 1 : 0;
        return new AddressedTuple(tasks[nextTask], tuple.tuple);
    }

    private boolean share(Object element) {
        WovenProbes.inserting(this, element);
        return shared.offer((AddressedTuple) element);
    }

    private boolean isShared(Object element) {
        return shared.isOn() && element instanceof AddressedTuple addressed && addressed.dest >= 0
            && !Utils.isSystemId(addressed.tuple.getSourceStreamId());
    }

    /** Lowers the flag before an element is executed, so that no producer wakes this executor, which is busy, instead of one that waits. */
    private final class Awake implements Consumer {
        private Consumer elements;

        @Override
        public void accept(Object element) {
            lower();
            elements.accept(element);
        }

        @Override
        public void flush() throws InterruptedException {
            elements.flush();
        }
    }
}
