package io.eyewall.client.seam;

import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.apache.storm.executor.Executor;
import org.apache.storm.utils.Utils;

/**
 * The seam <em>executor-loop</em>: starts the thread that runs an executor.
 */
@FunctionalInterface
public interface ExecutorLoops {

    /** Upstream's way. */
    ExecutorLoops UPSTREAM = Request::upstreamThread;

    /**
     * Starts the thread, or hands the executor to a thread that already runs. Called on the thread that starts the worker. Upstream
     * interrupts and joins the returned thread when it shuts the executor down.
     */
    Utils.SmartThread start(Request request);

    /**
     * The executor, and how upstream would run it.
     *
     * @param executor the executor
     * @param loop makes the executor's loop body when called on the new thread ({@code isFactory}), or is the body itself; a body returns
     *     the milliseconds to sleep before its next round, or null to end
     * @param daemon whether the thread is a daemon
     * @param onDeath handles an exception that ends the loop: it reports the error and ends the worker
     * @param priority the thread's priority
     * @param isFactory whether {@code loop} makes the body
     * @param startImmediately whether the thread is started here
     * @param threadName the name of the thread
     */
    record Request(Executor executor, Callable<?> loop, boolean daemon, Thread.UncaughtExceptionHandler onDeath, int priority,
            boolean isFactory, boolean startImmediately, String threadName) {

        /** The same request with another loop. */
        public Request withLoop(Callable<?> other) {
            return new Request(executor, other, daemon, onDeath, priority, isFactory, startImmediately, threadName);
        }

        /** The same request with another loop body, which is made on the executor's thread if upstream makes the body there. */
        public Request withBody(UnaryOperator<Callable<?>> other) {
            return withLoop(isFactory ? () -> other.apply((Callable<?>) loop.call()) : other.apply(loop));
        }

        /** The thread that upstream would start. */
        public Utils.SmartThread upstreamThread() {
            return Utils.asyncLoop(loop, daemon, onDeath, priority, isFactory, startImmediately, threadName);
        }
    }
}
