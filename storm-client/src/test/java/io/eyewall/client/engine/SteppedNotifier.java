package io.eyewall.client.engine;

import io.eyewall.client.seam.WorkerStateAccess;
import io.eyewall.client.time.NanoClock;
import org.apache.storm.messaging.IConnection;

/** Runs a {@link BackPressureNotifier} without its thread, one step at a time. */
public final class SteppedNotifier {

    private final BackPressureNotifier notifier;

    /** Of that worker. */
    public SteppedNotifier(WorkerStateAccess worker, NanoClock clock) {
        notifier = new BackPressureNotifier(clock);
        notifier.setWorker(worker);
    }

    /** Something may have changed. */
    public void tell() {
        notifier.requestReport();
    }

    /** A worker has connected. */
    public void connected() {
        notifier.connected();
    }

    /** Takes the next step; whether there was one. */
    public boolean step(IConnection receiver) {
        return notifier.reportIfChanged(receiver);
    }
}
