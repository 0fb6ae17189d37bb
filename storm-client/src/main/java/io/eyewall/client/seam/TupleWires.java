package io.eyewall.client.seam;

import org.apache.storm.task.WorkerTopologyContext;

/**
 * The seam <em>tuple-wire</em>: makes the {@link TupleWire} of each serializer and deserializer of tuples in a worker.
 */
@FunctionalInterface
public interface TupleWires {

    /** Upstream's way: no data travels with a tuple. */
    TupleWires UPSTREAM = context -> null;

    /** Makes the wire of one serializer or deserializer, on the thread that will use it; null for none. */
    TupleWire wire(WorkerTopologyContext context);
}
