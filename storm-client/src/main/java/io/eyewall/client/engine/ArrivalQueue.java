package io.eyewall.client.engine;

import io.eyewall.client.seam.ReceiveQueues;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.utils.JCQueue;

/**
 * A queue whose consumer is woken by the producer of the next element. The consumer may park as soon as {@link #consume} has returned 0,
 * for as long as it likes: whatever was published before that call found the queue empty is consumed by it, and whatever is published
 * later unparks the thread that made it.
 *
 * <p>The flag and the queue are a Dekker pair: the consumer raises the flag and then looks into the queue once more, a producer inserts and
 * then looks at the flag, and both accesses of each are ordered, so that at least one of them sees the other.
 */
final class ArrivalQueue extends JCQueue {

    /** The consumer, once it found the queue empty. Written by the consumer before the flag, read by producers after it. */
    private Thread consumer;
    /** Raised by the consumer when it finds the queue empty, lowered by the producer that wakes it. */
    private volatile boolean waiting;

    ArrivalQueue(ReceiveQueues.Request request) {
        super(request.queueName(), request.metricName(), request.sizeTuples(), request.overflowLimitTuples(),
            request.producerBatchTuples(), request.backPressureWait(), request.topologyId(), request.componentId(), request.taskIds(),
            request.port(), request.metrics());
    }

    @Override
    public int consume(Consumer elements, ExitCondition exitCondition) {
        int consumed = super.consume(elements, exitCondition);
        if (consumed != 0 || waiting) {
            return consumed;
        }
        consumer = Thread.currentThread();
        waiting = true;
        return super.consume(elements, exitCondition);
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
