package io.eyewall.transport.fabric.binding;

import java.util.Map;

/** The calls that read completions and let a thread sleep, once per round of a progress thread; see {@link TransferCalls}. */
interface CompletionQueueCalls {

    /** Returns how many entries it filled, or a negative error number. */
    long read(long queue, long entries, long count);

    /** As {@link #read}, but sleeps until there is an entry, the timeout has passed, or another thread signals. */
    long sread(long queue, long entries, long count, long condition, int timeoutMs);

    /** Ends the current {@link #sread}, or the next one. */
    int signal(long queue);

    /** Returns 0 if a thread may sleep on the queues, or a negative error number. */
    int trywait(long fabric, long queues, int count);

    /** The calls for a queue with this table of operations, in a fabric. */
    static CompletionQueueCalls of(OperationTable queue, Fabric fabric) {
        return NativeCallBinder.of(CompletionQueueCalls.class, JnaCompletionQueueCalls.class,
            Map.of("read", queue.address(StructLayout.CQ_READ), "sread", queue.address(StructLayout.CQ_SREAD), "signal",
                queue.address(StructLayout.CQ_SIGNAL), "trywait", fabric.waitOperation()));
    }

    /** A pattern, of which {@link NativeCallBinder} binds copies. */
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
