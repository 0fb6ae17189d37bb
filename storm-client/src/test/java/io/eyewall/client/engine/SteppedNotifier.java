package io.eyewall.client.engine;

import io.eyewall.client.time.NanoClock;
import java.util.function.Supplier;
import org.apache.storm.daemon.worker.BackPressureTracker;
import org.apache.storm.messaging.IConnection;

/** Runs a {@link BackPressureNotifier} without its thread, one step at a time. */
public final class SteppedNotifier {

    private final BackPressureNotifier notifier;

    /** Of a worker that has that tracker at the moment. */
    public SteppedNotifier(Supplier<BackPressureTracker> tracker, NanoClock clock) {
        notifier = new BackPressureNotifier(clock);
        notifier.setTracker(tracker);
    }

    /** Something may have changed. */
    public void requestReport() {
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
