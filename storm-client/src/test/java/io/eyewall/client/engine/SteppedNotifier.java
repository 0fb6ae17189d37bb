package io.eyewall.client.engine;

import io.eyewall.client.seam.MovableParts;
import io.eyewall.client.time.NanoClock;
import org.apache.storm.messaging.IConnection;

/** What tells a worker's senders to hold back or to go on, one step at a time. */
public final class SteppedNotifier {

    private final Senders senders;

    /** Of that worker. */
    public SteppedNotifier(MovableParts worker, NanoClock clock) {
        senders = new Senders(clock);
        senders.sendTo(worker);
    }

    /** Something may have changed. */
    public void tell() {
        senders.tell();
    }

    /** A worker has connected. */
    public void connected() {
        senders.connected();
    }

    /** Takes the next step; whether there was one. */
    public boolean step(IConnection receiver) {
        return senders.tellOnce(receiver);
    }
}
