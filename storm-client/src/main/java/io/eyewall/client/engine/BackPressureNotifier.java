package io.eyewall.client.engine;

import io.eyewall.client.seam.ForwardingReceiver;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.time.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.storm.daemon.worker.BackPressureTracker;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the workers that send to this one for which of its tasks they must hold back. Any thread that knows of a change requests a
 * report; one thread alone computes the status and sends it. If two threads did, the older status could be sent last, and a sender would
 * hold back for ever. Safe for use by any thread.
 */
public final class BackPressureNotifier {

    private static final Logger LOG = LoggerFactory.getLogger(BackPressureNotifier.class);

    /** The time from the connection of a worker, or a failure, until the status is reported again. */
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NEVER = Long.MIN_VALUE;

    private final NanoClock clock;
    /** When the status is to be reported again. */
    private final AtomicLong againAtNs = new AtomicLong(NEVER);
    /** Whether the status may have changed since the thread last computed it. */
    private final AtomicBoolean changed = new AtomicBoolean();
    /** Set while the worker is put together, on one thread, before the reporting thread starts. */
    private Supplier<BackPressureTracker> tracker;
    /** Null until the worker has a receiver. */
    private volatile Thread thread;
    private volatile boolean closed;
    /** Whether a failure is in the log. For the thread. */
    private boolean failed;

    /** A notifier for a worker that is being put together. */
    BackPressureNotifier(NanoClock clock) {
        this.clock = clock;
    }

    /** The one notifier of a worker, for all features that change when its queues have space. */
    public static BackPressureNotifier of(WorkerSeams.Builder seams) {
        return seams.common(BackPressureNotifier.class, () -> new BackPressureNotifier(NanoClock.SYSTEM));
    }

    /** Sets the supplier of the worker's current tracker. */
    void setTracker(Supplier<BackPressureTracker> current) {
        tracker = current;
    }

    /** Starts the reporting thread; returns the receiver that replaces the worker's own. Its status messages go through this notifier. */
    IConnection start(IConnection receiver) {
        thread = new Thread(() -> run(receiver), "back-pressure");
        thread.setDaemon(true);
        thread.start();
        return new ForwardingReceiver(receiver) {
            @Override
            public void sendBackPressureStatus(BackPressureStatus status) {
                requestReport();
            }
        };
    }

    /**
     * The request for a receiver that reports a second time to a worker that connects. The network's thread computes the first status, and
     * a change that comes meanwhile may reach that worker before it.
     */
    Receivers.Request reportingAgain(Receivers.Request request) {
        return new Receivers.Request(request.context(), request.topologyId(), request.port(), request.received(), () -> {
            Object status = request.newConnectionResponse().get();
            connected();
            return status;
        });
    }

    /** Called when a worker has connected and gets its first status; for any thread. */
    void connected() {
        againAtNs.set(clock.nanoTime() + AGAIN_NS);
        LockSupport.unpark(thread);
    }

    /** Requests a report to the senders, at once, of which tasks have space and which do not. */
    public void requestReport() {
        if (!changed.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    /** Ends the reporting thread. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void run(IConnection receiver) {
        while (!closed) {
            if (!reportIfChanged(receiver)) {
                long atNs = againAtNs.get();
                if (atNs == NEVER) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, atNs - clock.nanoTime());
                }
            }
        }
    }

    /**
     * Computes which tasks have space and sends the status, if it may have changed or is due again; returns whether it did so. If it fails,
     * the status is due again. Called on one thread.
     */
    boolean reportIfChanged(IConnection receiver) {
        long atNs = againAtNs.get();
        boolean again = atNs != NEVER && clock.nanoTime() - atNs >= 0 && againAtNs.compareAndSet(atNs, NEVER);
        if (!changed.compareAndSet(true, false) && !again) {
            return false;
        }
        try {
            BackPressureTracker current = tracker.get();
            current.refreshBpTaskList();
            receiver.sendBackPressureStatus(current.getCurrStatus());
        } catch (RuntimeException e) {
            againAtNs.set(clock.nanoTime() + AGAIN_NS);
            if (!failed) {
                failed = true;
                LOG.warn("The transport cannot report back-pressure to the workers that send here, so that queues may grow without limit."
                    + " The worker goes on trying, and does not log this again.", e);
            }
        }
        return true;
    }
}
