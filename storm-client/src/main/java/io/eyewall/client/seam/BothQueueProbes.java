package io.eyewall.client.seam;

/** Two probes of the same queue: each gets every call, in order. */
record BothQueueProbes(QueueProbe first, QueueProbe second) implements QueueProbe {

    @Override
    public void inserting(Object element) {
        first.inserting(element);
        second.inserting(element);
    }

    @Override
    public void overflowing(Object element) {
        first.overflowing(element);
        second.overflowing(element);
    }

    @Override
    public void taken(Object element) {
        first.taken(element);
        second.taken(element);
    }
}
