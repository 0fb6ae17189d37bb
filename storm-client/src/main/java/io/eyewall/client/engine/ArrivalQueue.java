package io.eyewall.client.engine;

import io.eyewall.client.seam.ReceiveQueues;
import io.eyewall.client.seam.ReceivingQueue;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.utils.JCQueue;

/**
 * A queue whose consumer is woken by the producer of the next element. The consumer may park for as long as it likes once {@link #consume}
 * has returned 0 twice in a row: whatever was published before the second call found the queue empty is consumed by it, and whatever is
 * published later unparks the thread that made it. After the first 0 it may only {@linkplain ParkingWait nap}: to wake a thread costs its
 * producer more than a tuple does, and under load the nap lets a batch gather instead.
 *
 * <p>The flag and the queue are a Dekker pair: the consumer raises the flag and then looks into the queue once more, a producer inserts and
 * then looks at the flag, and both accesses of each are ordered, so that at least one of them sees the other.
 *
 * <p>A tuple from another worker goes into the queue at once, whatever the producers' batch: it comes in the batch of a network message,
 * and nobody flushes batches of the threads that receive.
 */
final class ArrivalQueue extends JCQueue implements ReceivingQueue {

    /** The consumer, once it found the queue empty. Written by the consumer before the flag, read by producers after it. */
    private Thread consumer;
    /** Raised by the consumer when it finds the queue empty again, lowered by the producer that wakes it. */
    private volatile boolean waiting;
    /** Whether the last look found the queue empty. The consumer's alone. */
    private boolean wasEmpty;

    ArrivalQueue(ReceiveQueues.Request request) {
        super(request.queueName(), request.metricName(), request.sizeTuples(), request.overflowLimitTuples(),
            request.producerBatchTuples(), request.backPressureWait(), request.topologyId(), request.componentId(), request.taskIds(),
            request.port(), request.metrics());
    }

    @Override
    public int consume(Consumer elements, ExitCondition exitCondition) {
        int consumed = super.consume(elements, exitCondition);
        if (consumed == 0 && wasEmpty && !waiting) {
            consumer = Thread.currentThread();
            waiting = true;
            consumed = super.consume(elements, exitCondition);
        }
        wasEmpty = consumed == 0;
        return consumed;
    }

    @Override
    public void publish(Object element) throws InterruptedException {
        super.publish(element);
        wake();
    }

    @Override
    public boolean tryPublish(Object element) {
        return wakeIf(super.tryPublish(element));
    }

    @Override
    public boolean tryPublishDirect(Object element) {
        return wakeIf(super.tryPublishDirect(element));
    }

    @Override
    public boolean tryReceive(Object tuple) {
        return tryPublishDirect(tuple);
    }

    @Override
    public boolean tryPublishToOverflow(Object element) {
        return wakeIf(super.tryPublishToOverflow(element));
    }

    @Override
    public void flush() throws InterruptedException {
        super.flush();
        wake();
    }

    @Override
    public boolean tryFlush() {
        return wakeIf(super.tryFlush());
    }

    private boolean wakeIf(boolean published) {
        if (published) {
            wake();
        }
        return published;
    }

    private void wake() {
        if (waiting) {
            waiting = false;
            LockSupport.unpark(consumer);
        }
    }
}
