package io.eyewall.client.seam;

import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;

/**
 * The seam <em>receiver</em>: makes the end of connections at which a worker receives tuples. Through it the worker also reports the load
 * of its queues to the workers that send to it.
 */
@FunctionalInterface
public interface Receivers {

    /** Upstream's way. */
    Receivers UPSTREAM = Request::upstreamReceiver;

    /** Makes the receiver of one worker, on the thread that starts it; several threads use it. Other workers may send at once. */
    IConnection receiver(Request request);

    /**
     * The worker, and how upstream would make its receiver.
     *
     * @param context the worker's messaging
     * @param topologyId the topology's id
     * @param port the worker's port
     * @param received takes the messages that were received
     * @param newConnectionResponse makes the first message to a worker that connects
     */
    record Request(IContext context, String topologyId, int port, IConnectionCallback received, Supplier<Object> newConnectionResponse) {

        /** The receiver that upstream would make. */
        public IConnection upstreamReceiver() {
            return context.bind(topologyId, port, received, newConnectionResponse);
        }
    }
}
