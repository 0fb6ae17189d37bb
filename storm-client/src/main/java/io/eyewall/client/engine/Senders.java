package io.eyewall.client.engine;

import org.apache.storm.daemon.worker.WorkerState;

/** The other workers that send to one, as its features have them in common. Safe for use by any thread. */
public final class Senders {

    private volatile WorkerState worker;

    /** The senders of a worker that is still to be put together. */
    public Senders() {
        // It comes later.
    }

    /** They send to that worker. */
    void to(WorkerState thisWorker) {
        worker = thisWorker;
    }

    /** Tells them which tasks may be sent to again, if that has changed and the worker is there. */
    public void tellRoom() {
        WorkerState receiving = worker;
        if (receiving != null) {
            receiving.refreshBackPressureStatus();
        }
    }
}
