package io.eyewall.client.hot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The connection of one worker to a place, where there may be no worker yet, or another one later. Messages keep their order and arrive
 * late; those of a connection that breaks are lost. Reports of back-pressure take the way back.
 */
final class SimLink {

    private static final long CONNECT_AT_MOST_NS = 200 * SimSchedule.MS;
    private static final long AGAIN_NS = 50 * SimSchedule.MS;
    private static final long DELIVER_NS = SimSchedule.IDLE_NS;
    private static final int BATCH = 5;
    /** One message in so many is late, as behind a lost packet. */
    private static final int LATE_EVERY = 400;

    /** One connection in so many is to a host that reads slowly. Now and then it takes nothing for a while, and its sender waits. */
    private static final int SLOW_EVERY = 2;
    private static final int CLOGGED_EVERY = 3;
    private static final int CLOGGED_AT_MOST_MS = 3_000;

    private static final int LATE_REPORT_EVERY = 3;
    private static final int LATE_REPORT_MS = 4_000;

    private record Message(long dueNs, AddressedTuple tuple, Marker marker) {
    }

    private record Report(long dueNs, BackPressureStatus status) {
    }

    private final Simulation simulation;
    private final SimWorker from;
    private final WorkerPlace to;
    private final AtomicBoolean[] flags;
    private final Deque<Message> messages = new ArrayDeque<>();
    private final Deque<Report> reports = new ArrayDeque<>();
    private final boolean slow;
    private SimWorker target;
    private boolean closing;
    /** Whether the worker at the other end is busy with what came last. */
    private boolean receiving;
    private long lastDueNs;
    private long lastReportNs;

    SimLink(Simulation simulation, SimWorker from, WorkerPlace to, AtomicBoolean[] flags) {
        this.simulation = simulation;
        this.from = from;
        this.to = to;
        this.flags = flags;
        slow = simulation.random.nextInt(SLOW_EVERY) == 0;
        simulation.schedule.start(from.process(), this::connect);
        simulation.schedule.start(from.process(), this::report);
    }

    boolean isReady() {
        return !closing && target != null && !target.process().isDead();
    }

    SimWorker target() {
        return target;
    }

    boolean isEmpty() {
        return messages.isEmpty() && !receiving;
    }

    void close() {
        closing = true;
    }

    /** For how long it takes nothing. */
    long cloggedNs() {
        boolean clogged = slow && simulation.random.nextInt(CLOGGED_EVERY) == 0;
        return clogged ? simulation.random.nextInt(CLOGGED_AT_MOST_MS) * SimSchedule.MS : 0;
    }

    /** Sends a message, or drops it where there is no connection. */
    void send(AddressedTuple tuple, Marker marker) {
        if (!isReady()) {
            if (tuple != null) {
                simulation.dropped(tuple, from + " has no connection to " + to);
            }
            return;
        }
        messages.add(new Message(dueNs(), tuple, marker));
    }

    /** The worker at the other end says for which tasks to hold back. */
    void report(BackPressureStatus status) {
        boolean late = simulation.random.nextInt(LATE_REPORT_EVERY) == 0;
        lastReportNs = Math.max(lastReportNs, simulation.schedule.nowNs()
            + (late ? simulation.random.nextInt(LATE_REPORT_MS) * SimSchedule.MS : delayNs()));
        reports.add(new Report(lastReportNs, status));
    }

    /** The connection breaks, with what it holds, and is made again. */
    void breakUp() {
        messages.forEach(message -> simulation.diedWith(message.tuple, this));
        messages.clear();
        target = null;
        receiving = false;
    }

    /** Connects, and connects again. */
    private long connect() {
        if (closing && messages.isEmpty()) {
            return SimSchedule.ENDS;
        }
        if (target != null && target.process().isDead()) {
            breakUp();
        }
        if (target == null && !closing) {
            SimWorker there = simulation.workerAt(to);
            if (there != null && there.listens() && simulation.random.nextInt(3) == 0) {
                target = there;
                there.input().accepted(this);
                simulation.schedule.start(there.process(), () -> deliver(there));
                return AGAIN_NS;
            }
            return simulation.random.nextInt((int) CONNECT_AT_MOST_NS);
        }
        return AGAIN_NS;
    }

    /** On the network's thread of the worker at the other end. */
    private long deliver(SimWorker receiver) {
        if (target != receiver) {
            return SimSchedule.ENDS;
        }
        if (from.process().isDead()) { // With all that its socket still held.
            messages.forEach(message -> simulation.diedWith(message.tuple, this));
            messages.clear();
            return SimSchedule.ENDS;
        }
        if (receiving) {
            return DELIVER_NS;
        }
        List<AddressedTuple> batch = new ArrayList<>();
        List<Marker> markers = new ArrayList<>();
        while (!messages.isEmpty() && messages.peek().dueNs <= simulation.schedule.nowNs() && batch.size() < BATCH && markers.isEmpty()) {
            Message message = messages.remove();
            if (message.tuple != null) {
                batch.add(message.tuple);
            } else {
                markers.add(message.marker);
            }
        }
        if (!batch.isEmpty() || !markers.isEmpty()) {
            receiving = true;
            receiver.input().received(batch, markers, () -> receiving = false);
        }
        if (closing && messages.isEmpty() && !receiving) {
            return SimSchedule.ENDS;
        }
        boolean idle = messages.isEmpty() || messages.peek().dueNs > simulation.schedule.nowNs();
        return idle ? DELIVER_NS : simulation.random.nextInt((int) DELIVER_NS);
    }

    /** On the network's thread of the worker at this end. */
    private long report() {
        while (!reports.isEmpty() && reports.peek().dueNs <= simulation.schedule.nowNs()) {
            BackPressureStatus status = reports.remove().status;
            set(status.bpTasks, true);
            set(status.nonBpTasks, false);
        }
        return closing && reports.isEmpty() ? SimSchedule.ENDS : DELIVER_NS;
    }

    private void set(Collection<Integer> tasks, boolean holdBack) {
        tasks.forEach(task -> flags[task].set(holdBack));
    }

    private long dueNs() {
        lastDueNs = Math.max(lastDueNs, simulation.schedule.nowNs() + delayNs());
        return lastDueNs;
    }

    private long delayNs() {
        return simulation.random.nextInt(LATE_EVERY) == 0 ? 2 * SimSchedule.SECOND : simulation.random.nextInt((int) SimSchedule.MS);
    }

    @Override
    public String toString() {
        return from + " to " + to;
    }
}
