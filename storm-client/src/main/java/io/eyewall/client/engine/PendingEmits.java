package io.eyewall.client.engine;

import io.eyewall.client.seam.ExecutorLoops;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The tuples that a spout has emitted while their queue was full. Upstream's loop sends them only while the topology is active: after a
 * deactivation they wait until the topology is activated, and are lost if it is killed first. Here they are sent as soon as there is space.
 */
public final class PendingEmits {

    private PendingEmits() {
    }

    /** Starts executors so that a spout sends its pending emits while it is not active, too. */
    static ExecutorLoops sentWhileInactive(ExecutorLoops next) {
        return request -> next.start(request.executor() instanceof SpoutExecutor spout
            ? request.withBody(body -> sendingWhileInactive(spout, body)) : request);
    }

    private static Callable<Object> sendingWhileInactive(Executor spout, Callable<?> body) {
        AtomicBoolean active = spout.getWorkerData().getIsTopologyActive();
        return () -> {
            if (!active.get()) {
                send(spout);
            }
            return body.call();
        };
    }

    /** Sends as many as there is space for; called on the executor's thread. */
    public static void send(Executor executor) {
        Queue<AddressedTuple> emits = executor.getPendingEmits();
        while (!emits.isEmpty() && executor.getExecutorTransfer().tryTransfer(emits.peek(), null)) {
            emits.remove();
        }
    }
}
