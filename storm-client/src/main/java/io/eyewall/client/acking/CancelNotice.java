package io.eyewall.client.acking;

import io.eyewall.client.seam.QueueProbe;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;

/**
 * Notes the trees that other workers have cancelled as soon as the notice enters a queue, ahead of the elements that wait there. Safe for
 * use by any thread.
 */
final class CancelNotice implements QueueProbe {

    private final CancelledRoots cancelled;

    CancelNotice(CancelledRoots cancelled) {
        this.cancelled = cancelled;
    }

    /** Notes what a tuple cancels if it is a notice; returns whether it is. */
    static boolean take(Tuple tuple, CancelledRoots cancelled) {
        if (tuple.size() > 0 && tuple.getValue(0) instanceof AckBatch batch) {
            for (int i = 0; i < batch.size(); i++) {
                cancelled.add(batch.root(i));
            }
            return true;
        }
        return false;
    }

    @Override
    public void inserting(Object element) {
        if (element instanceof AddressedTuple addressed && addressed.dest >= 0) {
            take(addressed.tuple, cancelled);
        }
    }

    @Override
    public void overflowing(Object element) {
        inserting(element);
    }
}
