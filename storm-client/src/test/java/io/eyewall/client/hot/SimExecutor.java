package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.RotatingMap;

/**
 * An executor of a simulated worker, with upstream's loop: it sends what waits for space, then, if that has all gone, executes its input,
 * until something waits. A spout's emits one message a round. A relay's tasks send each tuple on, those of a sink count it.
 */
final class SimExecutor implements TestExecutor {

    private static final long PREPARES_AT_MOST_NS = 200 * SimSchedule.MS;
    /** A tuple in so many takes long, as a call to another system may. */
    private static final int LONG_EVERY = 300;

    private final Simulation simulation;
    private final SimWorker worker;
    private final List<Long> id;
    private final List<Integer> tasks;
    private final WakingQueue queue;
    private final Queue<AddressedTuple> pendingEmits = new ArrayDeque<>();
    private final RotatingMap<Long, TupleInfo> pending;
    private final long preparedAtNs;
    private Map<Integer, JCQueue> localQueues;
    private boolean active = true;
    private boolean prepared;
    private boolean interrupted;
    private Callable<?> round;
    private int executed;
    /** How long what was executed in this round takes. */
    private long tookNs;

    SimExecutor(Simulation simulation, SimWorker worker, List<Long> id, WakingQueue queue) {
        this.simulation = simulation;
        this.worker = worker;
        this.id = id;
        this.queue = queue;
        tasks = id.get(0) < 0 ? List.of(-1) : StormCommon.executorIdToTasks(id);
        pending = new RotatingMap<>(2, (message, info) -> simulation.failed(message));
        preparedAtNs = simulation.schedule.nowNs() + simulation.random.nextInt((int) PREPARES_AT_MOST_NS);
        lookUpQueues();
    }

    /** Starts its thread, whose rounds are those of {@code movable}. */
    void start(MovableExecutor movable) throws Exception {
        if (isSpout()) {
            movable.keeps(pending);
        }
        simulation.opened(this);
        round = (Callable<?>) movable.loop(() -> (Callable<Object>) this::body).call();
        simulation.schedule.start(worker.process(), this::step);
    }

    SimWorker worker() {
        return worker;
    }

    /** Whether none of its tuples waits, as far as it holds them. */
    boolean isEmpty() {
        return queue.size() == 0 && pendingEmits.isEmpty() && pending.size() == 0;
    }

    /** The spout of its tasks. */
    ISpout spout() {
        return new ISpout() {
            @Override
            public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
                // The executor emits.
            }

            @Override
            public void close() {
                // There is nothing to close.
            }

            @Override
            public void activate() {
                active = true;
            }

            @Override
            public void deactivate() {
                active = false;
            }

            @Override
            public void nextTuple() {
                // The executor emits.
            }

            @Override
            public void ack(Object message) {
                // The executor counts.
            }

            @Override
            public void fail(Object message) {
                // The executor counts.
            }
        };
    }

    private long step() {
        if (interrupted) { // Upstream's shutdown waits for the end of the thread, which may have been prepared since.
            return SimSchedule.ENDS;
        }
        prepared |= worker.isActive() && simulation.schedule.nowNs() >= preparedAtNs;
        if (!prepared) {
            return SimSchedule.IDLE_NS;
        }
        try {
            tookNs = 0;
            Object sleepMs = round.call();
            return sleepMs == null ? SimSchedule.ENDS : tookNs + (Long) sleepMs * SimSchedule.IDLE_NS;
        } catch (Exception e) {
            throw new IllegalStateException(describe(), e);
        }
    }

    /** A round of upstream's loop; returns how many milliseconds to sleep. */
    private Object body() {
        sendPendingEmits();
        if (isSpout()) {
            int acks = executeInput();
            return emitNext() || acks > 0 ? 0L : 1L;
        }
        return pendingEmits.isEmpty() && executeInput() > 0 ? 0L : 1L;
    }

    /** False for a spout that waits for its acks to leave. */
    boolean emits() {
        return active;
    }

    private boolean emitNext() {
        if (!pendingEmits.isEmpty() || !active || !simulation.isActive() || tasks.get(0) < 0) {
            return false;
        }
        int task = tasks.get(simulation.random.nextInt(tasks.size()));
        long message = simulation.nextMessage(task);
        if (message < 0) {
            return false;
        }
        if (simulation.plan.acks()) {
            pending.put(message, new TupleInfo());
        }
        emit(task, simulation.plan.relayTask(message, worker.localTasks(), simulation.random), message);
        return true;
    }

    private void emit(int source, int target, long message) {
        tryTransfer(SimTuple.of(source, target, message, simulation.nextOrder(source, target)), pendingEmits);
    }

    private boolean tryTransfer(AddressedTuple tuple, Queue<AddressedTuple> emits) {
        boolean waits = emits != null && !emits.isEmpty();
        JCQueue local = localQueues.get(tuple.dest);
        boolean gone = !waits && (local != null ? local.tryPublish(tuple) : worker.trySend(tuple));
        if (!gone && emits != null) {
            emits.add(tuple);
        }
        return gone;
    }

    @Override
    public void accept(Object element) {
        AddressedTuple tuple = (AddressedTuple) element;
        executed++;
        tookNs += simulation.random.nextInt(LONG_EVERY) == 0 ? 2 * SimSchedule.SECOND : simulation.plan.executeNs(tuple.dest);
        long message = SimTuple.message(tuple.tuple);
        int source = tuple.tuple.getSourceTask();
        if (isSpout()) {
            if (pending.remove(message) != null) {
                simulation.acked(message);
            }
            return;
        }
        if (!tasks.contains(tuple.dest)) {
            throw new IllegalStateException(describe() + " executes a tuple of task " + tuple.dest);
        }
        boolean relays = simulation.plan.isRelay(tuple.dest);
        simulation.executed(this, source, tuple.dest, message, SimTuple.order(tuple.tuple), relays);
        if (relays) {
            emit(tuple.dest, simulation.plan.sinkTask(message), message);
        } else if (simulation.plan.acks()) {
            emit(tuple.dest, simulation.plan.spoutTask(message), message);
        }
    }

    @Override
    public List<Long> id() {
        return id;
    }

    @Override
    public List<Integer> tasks() {
        return tasks;
    }

    @Override
    public String describe() {
        return id + " of " + worker;
    }

    @Override
    public WakingQueue queue() {
        return queue;
    }

    @Override
    public boolean isSpout() {
        return simulation.plan.isSpout(tasks.get(0));
    }

    @Override
    public boolean isPrepared() {
        return prepared;
    }

    @Override
    public int executeInput() {
        int atMost = 1 + simulation.random.nextInt(4);
        executed = 0;
        return queue.consume(this, () -> executed < atMost && (isSpout() || pendingEmits.isEmpty()));
    }

    @Override
    public Queue<AddressedTuple> pendingEmits() {
        return pendingEmits;
    }

    @Override
    public void sendPendingEmits() {
        while (!pendingEmits.isEmpty() && tryTransfer(pendingEmits.peek(), null)) {
            pendingEmits.remove();
        }
    }

    @Override
    public void lookUpQueues() {
        localQueues = worker.localQueues();
    }

    @Override
    public void shutdown() {
        interrupted = true;
        simulation.closed(this);
    }

    @Override
    public String toString() {
        return describe() + LongStream.of(queue.size(), pendingEmits.size(), pending.size()).boxed().toList();
    }
}
