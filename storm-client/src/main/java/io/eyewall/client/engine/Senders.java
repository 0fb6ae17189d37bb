package io.eyewall.client.engine;

import io.eyewall.client.seam.ForwardingReceiver;
import io.eyewall.client.seam.MovableParts;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.daemon.worker.BackPressureTracker;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;

/**
 * The workers that send to one: tells them for which of its tasks to hold back. Whoever knows of a change asks for it, and one thread alone
 * works out what is so then and sends it: of two that did, the one with the older news could be the later one to send, and a sender would
 * hold back for ever. Safe for use by any thread.
 */
public final class Senders {

    /** Whether something may have changed since the thread last looked. */
    private final AtomicBoolean news = new AtomicBoolean();
    /** Set while the worker is put together, on one thread, before the teller starts. */
    private MovableParts worker;
    /** Null as long as there is nobody to tell. */
    private volatile Thread teller;
    private volatile boolean closed;

    /** The senders of a worker that is still to be put together. */
    public Senders() {
        // It comes later.
    }

    /** They send to this worker, whose constructor is still running. */
    void sendTo(MovableParts receiving) {
        worker = receiving;
    }

    /** What stands in the place of the worker's receiver, which they hear from. */
    IConnection over(IConnection receiver) {
        Thread thread = new Thread(() -> tellFrom(receiver), "back-pressure");
        thread.setDaemon(true);
        teller = thread;
        thread.start();
        return new ForwardingReceiver(receiver) {
            @Override
            public void sendBackPressureStatus(BackPressureStatus status) {
                tell();
            }
        };
    }

    /** Has them told at once which tasks have room and which have not. */
    public void tell() {
        if (!news.getAndSet(true)) {
            LockSupport.unpark(teller);
        }
    }

    /** They are told nothing any more. */
    void close() {
        closed = true;
        LockSupport.unpark(teller);
    }

    private void tellFrom(IConnection receiver) {
        while (!closed) {
            if (!tellOnce(receiver)) {
                LockSupport.park(this);
            }
        }
    }

    /** Works out which tasks have room, and sends it, if something may have changed; whether it may. On one thread. */
    boolean tellOnce(IConnection receiver) {
        if (!news.compareAndSet(true, false)) {
            return false;
        }
        BackPressureTracker tracker = worker.getBpTracker();
        tracker.refreshBpTaskList();
        receiver.sendBackPressureStatus(tracker.getCurrStatus());
        return true;
    }
}
