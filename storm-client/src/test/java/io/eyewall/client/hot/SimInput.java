package io.eyewall.client.hot;

import io.eyewall.client.engine.SteppedNotifier;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.woven.ReceivedGroups;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.daemon.worker.AllTasksTracker;
import org.apache.storm.daemon.worker.BackPressureTracker;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;

/** The end at which a simulated worker receives: puts tuples into queues as upstream does, and asks senders to hold back. */
final class SimInput {

    /** How long the network's thread may take to send the status that it has worked out for a worker that connects. */
    private static final int FIRST_STATUS_AT_MOST_NS = (int) (90 * SimSchedule.MS);

    private final Simulation simulation;
    private final SimWorker worker;
    private final SteppedNotifier notifier;
    private final List<SimLink> accepted = new ArrayList<>();
    private Map<Integer, JCQueue> taskQueues = Map.of();
    private DetourQueue detour;
    private BackPressureTracker tracker;

    SimInput(Simulation simulation, SimWorker worker) {
        this.simulation = simulation;
        this.worker = worker;
        notifier = new SteppedNotifier(() -> tracker, simulation.schedule::nowNs);
    }

    /** Takes tuples from now on. */
    void open(Map<Integer, JCQueue> queues, DetourQueue others) {
        detour = others;
        taskQueues = queues;
        tracker = tracker(queues);
    }

    /** Puts tuples into these queues; false if they are those of before. */
    boolean setQueues(Map<Integer, JCQueue> next) {
        if (next.equals(taskQueues)) {
            return false;
        }
        tracker = tracker(next);
        taskQueues = next;
        notifier.requestReport();
        return true;
    }

    /** A step of the thread that reports to senders. */
    long notifySenders() {
        return notifier.step(new SimReceiver(this::tellSenders)) ? 0 : SimSchedule.IDLE_NS;
    }

    /** Another worker has connected: it hears how things are. */
    void accepted(SimLink link) {
        accepted.add(link);
        BackPressureStatus first = tracker.getCurrStatus();
        notifier.connected();
        simulation.schedule.later(worker.process(), simulation.random.nextInt(FIRST_STATUS_AT_MOST_NS), () -> link.report(first));
    }

    /** Takes a batch of messages, in one step or two: the network's thread goes on when {@code taken} has run. */
    void received(List<AddressedTuple> tuples, List<Marker> markers, Runnable taken) {
        ArrayList<AddressedTuple> batch = new ArrayList<>(tuples);
        markers.forEach(marker -> batch.add(SimTuple.of(marker)));
        Map<Integer, JCQueue> queues = new HashMap<>();
        batch.forEach(tuple -> queues.put(tuple.dest, taskQueues.getOrDefault(tuple.dest, detour)));
        Runnable insert = () -> {
            new ReceivedGroups().insert(batch, queues);
            batch.forEach(left -> insert(queues.get(left.dest), left));
            taken.run();
        };
        if (tuples.isEmpty() || simulation.random.nextInt(10) > 0) {
            insert.run();
            return;
        }
        long pauseNs = simulation.random.nextInt((int) (simulation.random.nextInt(10) == 0 ? 1_500 * SimSchedule.MS : 10 * SimSchedule.MS));
        simulation.schedule.later(worker.process(), pauseNs, insert);
    }

    /** There is space in a queue beside which something lay. */
    void tellSpace() {
        notifier.requestReport();
    }

    /** As upstream's WorkerState takes a tuple of another worker that is in no group. */
    private void insert(JCQueue queue, AddressedTuple tuple) {
        if (queue.isEmptyOverflow() && (queue instanceof WakingQueue arrival ? arrival.tryReceive(tuple) : queue.tryPublish(tuple))) {
            return;
        }
        BackPressureTracker.BackpressureState state = tracker.getBackpressureState(tuple.dest);
        if (tracker.recordBackPressure(state)) {
            notifier.requestReport();
        }
        queue.tryPublishToOverflow(tuple);
    }

    private void tellSenders(BackPressureStatus status) {
        accepted.removeIf(link -> link.target() != worker);
        accepted.forEach(link -> link.report(status));
    }

    private BackPressureTracker tracker(Map<Integer, JCQueue> queues) {
        StormMetricRegistry metrics = new StormMetricRegistry();
        Map<Integer, String> components = new HashMap<>();
        queues.keySet().forEach(task -> components.put(task, "any"));
        return simulation.mutation == Mutation.TRACKER_OF_OWN_TASKS
            ? new BackPressureTracker(worker.toString(), queues, metrics, components)
            : new AllTasksTracker(worker.toString(), tracker, queues, detour, metrics, components);
    }
}
