package io.eyewall.core.security;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.daemon.drpc.OutstandingRequest;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.utils.WrappedDRPCExecutionException;

/**
 * The queues of a DRPC server, one for each function that is called. Upstream keeps one for ever for any name that anybody has called or
 * asked for (CVE-2026-82439). Here a queue is in the map while there is a request in it, and names are bounded. Safe for any thread: a
 * queue is entered, left and removed within {@link ConcurrentHashMap#compute}.
 */
public final class FunctionQueues {

    /** The longest name of a function, in characters. */
    public static final int MAX_NAME = 256;

    // Never entered.
    private static final ConcurrentLinkedQueue<OutstandingRequest> NONE = new ConcurrentLinkedQueue<>();

    private FunctionQueues() {
    }

    /**
     * Before a function is called. Upstream keeps a request without a name, and the whole server ends when that times out.
     *
     * @throws DRPCExecutionException if there is no name, or it is too long
     */
    public static void checkName(String function) throws DRPCExecutionException {
        if (function == null) {
            throw refused("The call names no function. Call a function by the name that its topology has.");
        }
        if (function.length() > MAX_NAME) {
            throw refused("The name of the function has " + function.length() + " characters, but must have at most " + MAX_NAME
                + ". Call the function by the name that its topology has.");
        }
    }

    private static DRPCExecutionException refused(String why) {
        DRPCExecutionException refused = new WrappedDRPCExecutionException(why);
        refused.set_type(DRPCExceptionType.FAILED_REQUEST);
        return refused;
    }

    /** The queue of a function, to look into; an empty one if the function has none. */
    static ConcurrentLinkedQueue<OutstandingRequest> queue(Map<String, ConcurrentLinkedQueue<OutstandingRequest>> queues,
            String function) {
        if (function == null) {
            throw new IllegalArgumentException("The function for a request cannot be null");
        }
        return queues.getOrDefault(function, NONE);
    }

    /** Puts a request at the end of its function's queue. */
    static boolean add(ConcurrentHashMap<String, ConcurrentLinkedQueue<OutstandingRequest>> queues, OutstandingRequest request) {
        queues.compute(request.getFunction(), (function, waiting) -> {
            ConcurrentLinkedQueue<OutstandingRequest> queue = waiting == null ? new ConcurrentLinkedQueue<>() : waiting;
            queue.add(request);
            return queue;
        });
        return true;
    }

    /** Takes the first request of a function; null if there is none. */
    static OutstandingRequest poll(ConcurrentHashMap<String, ConcurrentLinkedQueue<OutstandingRequest>> queues, String function) {
        if (!queues.containsKey(function)) {
            return null;
        }
        OutstandingRequest[] taken = new OutstandingRequest[1];
        queues.computeIfPresent(function, (name, queue) -> {
            taken[0] = queue.poll();
            return orNone(queue);
        });
        return taken[0];
    }

    /** Takes a request out that nobody has fetched; whether it was there. */
    static boolean remove(ConcurrentHashMap<String, ConcurrentLinkedQueue<OutstandingRequest>> queues, OutstandingRequest request) {
        boolean[] removed = new boolean[1];
        queues.computeIfPresent(request.getFunction(), (name, queue) -> {
            removed[0] = queue.remove(request);
            return orNone(queue);
        });
        return removed[0];
    }

    private static <Q extends Queue<?>> Q orNone(Q queue) {
        return queue.isEmpty() ? null : queue;
    }
}
