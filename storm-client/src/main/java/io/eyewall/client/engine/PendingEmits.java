package io.eyewall.client.engine;

import io.eyewall.client.seam.ExecutorLoops;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.tuple.AddressedTuple;

/**
 * What a spout has emitted while the queue for it was full. Upstream's loop looks after it only while the topology is active: tuples that
 * are left when it is deactivated wait until it is activated, and are lost when it is killed instead. Here they go on as soon as there is
 * room.
 */
public final class PendingEmits {

    private PendingEmits() {
    }

    /** Starts executors so that a spout sends what is left while it is not active. */
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

    /** Sends as much as there is room for; on the executor's thread. */
    public static void send(Executor executor) {
        Queue<AddressedTuple> emits = executor.getPendingEmits();
        while (!emits.isEmpty() && executor.getExecutorTransfer().tryTransfer(emits.peek(), null)) {
            emits.remove();
        }
    }
}
