package io.eyewall.client.engine;

import io.eyewall.client.seam.ForwardingReceiver;
import io.eyewall.client.seam.MovableParts;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.time.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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

    /** How long after a worker has connected all are told once more. */
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NEVER = Long.MIN_VALUE;

    private final NanoClock clock;
    /** When all are to be told once more. */
    private final AtomicLong againAtNs = new AtomicLong(NEVER);
    /** Whether something may have changed since the thread last looked. */
    private final AtomicBoolean news = new AtomicBoolean();
    /** Set while the worker is put together, on one thread, before the teller starts. */
    private MovableParts worker;
    /** Null as long as there is nobody to tell. */
    private volatile Thread teller;
    private volatile boolean closed;

    /** The senders of a worker that is still to be put together. */
    public Senders(NanoClock clock) {
        this.clock = clock;
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

    /**
     * The request for a receiver whose first status to a worker that connects is followed by another one: the network's thread works the
     * first one out, and what has changed meanwhile may reach that worker before it.
     */
    Receivers.Request greetingTwice(Receivers.Request request) {
        return new Receivers.Request(request.context(), request.topologyId(), request.port(), request.received(), () -> {
            Object status = request.newConnectionResponse().get();
            connected();
            return status;
        });
    }

    /** A worker has connected, and gets its first status; for any thread. */
    void connected() {
        againAtNs.set(clock.nanoTime() + AGAIN_NS);
        LockSupport.unpark(teller);
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
                long atNs = againAtNs.get();
                if (atNs == NEVER) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, atNs - clock.nanoTime());
                }
            }
        }
    }

    /** Works out which tasks have room, and sends it, if something may have changed; whether it may. On one thread. */
    boolean tellOnce(IConnection receiver) {
        long atNs = againAtNs.get();
        boolean again = atNs != NEVER && clock.nanoTime() - atNs >= 0 && againAtNs.compareAndSet(atNs, NEVER);
        if (!news.compareAndSet(true, false) && !again) {
            return false;
        }
        BackPressureTracker tracker = worker.getBpTracker();
        tracker.refreshBpTaskList();
        receiver.sendBackPressureStatus(tracker.getCurrStatus());
        return true;
    }
}
