package io.eyewall.tail.recording;

import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.seam.Stamped;
import org.apache.storm.tuple.AddressedTuple;

/** Notes when a recorded tuple is inserted into a receive queue. Stateless; used by the producers' threads. */
record ReceiveQueueProbe(NanoClock clock) implements QueueProbe {

    @Override
    public void inserting(Object element) {
        if (element instanceof AddressedTuple addressed && addressed.tuple instanceof Stamped stamped
                && stamped.getEyewallStamp() instanceof LatencyStamp stamp) {
            stamp.enqueuedNs = clock.nanoTime();
        }
    }

    @Override
    public void taken(Object element) {
        // The executor's probe records what it takes.
    }
}
