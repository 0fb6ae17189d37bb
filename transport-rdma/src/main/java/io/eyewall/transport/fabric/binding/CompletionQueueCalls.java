package io.eyewall.transport.fabric.binding;

import java.util.Map;

/** Reading completions and going to sleep, once per round of a progress thread; see {@link TransferCalls}. */
interface CompletionQueueCalls {

    /** Returns how many entries it filled, or a negative error. */
    long read(long queue, long entries, long count);

    /** As {@link #read}, but sleeps until there is one, the time is over (milliseconds), or another thread signals. */
    long sread(long queue, long entries, long count, long condition, int timeoutMs);

    /** Ends the sleep in {@link #sread}, or the next one. */
    int signal(long queue);

    /** Returns 0 if a thread may sleep on the queues, or a negative error. */
    int trywait(long fabric, long queues, int count);

    /** The calls for a queue with this table, in a fabric with this operation. */
    static CompletionQueueCalls of(OperationTable queue, Fabric fabric) {
        return NativeCallBinder.of(CompletionQueueCalls.class, JnaCompletionQueueCalls.class,
            Map.of("read", queue.address(StructLayout.CQ_READ), "sread", queue.address(StructLayout.CQ_SREAD), "signal",
                queue.address(StructLayout.CQ_SIGNAL), "trywait", fabric.waitOperation()));
    }

    /** Never used itself: {@link NativeCallBinder} binds copies of it. */
    final class JnaCompletionQueueCalls implements CompletionQueueCalls {

        @Override
        public native long read(long queue, long entries, long count);

        @Override
        public native long sread(long queue, long entries, long count, long condition, int timeoutMs);

        @Override
        public native int signal(long queue);

        @Override
        public native int trywait(long fabric, long queues, int count);
    }
}
