package io.eyewall.tail.recording;

import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.time.NanoClock;
import org.apache.storm.tuple.AddressedTuple;

/** Notes when a recorded tuple is inserted into a receive queue, or into its overflow list. Stateless; used by the producers' threads. */
record ReceiveQueueProbe(NanoClock clock) implements QueueProbe {

    @Override
    public void inserting(Object element) {
        note(element, false);
    }

    @Override
    public void overflowing(Object element) {
        note(element, true);
    }

    private void note(Object element, boolean overflowed) {
        if (element instanceof AddressedTuple addressed) {
            LatencyStamp stamp = LatencyStamp.of(addressed.tuple);
            if (stamp != null) {
                stamp.enqueuedNs = clock.nanoTime();
                stamp.overflowed = overflowed;
            }
        }
    }
}
