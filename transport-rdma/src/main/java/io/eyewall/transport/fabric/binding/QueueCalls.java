package io.eyewall.transport.fabric.binding;

import java.util.Map;

/** Reading completions and going to sleep, once per round of a progress thread; see {@link TransferCalls}. */
interface QueueCalls {

    /** Returns how many entries it filled, or a negative error. */
    long read(long queue, long entries, long count);

    /** Returns 0 if a thread may sleep on the queues, or a negative error. */
    int trywait(long fabric, long queues, int count);

    /** The calls for a queue with this table, in a fabric with this operation. */
    static QueueCalls of(Operations queue, Fabric fabric) {
        return BoundCalls.of(QueueCalls.class, JnaQueueCalls.class,
            Map.of("read", queue.address(Layout.CQ_READ), "trywait", fabric.waitOperation()));
    }

    /** Never used itself: {@link BoundCalls} binds copies of it. */
    final class JnaQueueCalls implements QueueCalls {

        @Override
        public native long read(long queue, long entries, long count);

        @Override
        public native int trywait(long fabric, long queues, int count);
    }
}
