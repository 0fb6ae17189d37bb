package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import io.eyewall.client.stream.wire.StreamWire;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/** The process of an instance in the simulation. Its tasks send to all tasks of others, and in a loop to each other as well. */
final class SimulatedProcess {
    private static final int PIPE = 10;

    final Instance instance;
    final Set<Integer> tasks;
    private final MoveSimulation simulation;
    private final Random random;
    private final int connectsAt;
    final Queue<Passed> in = new ArrayDeque<>();
    final Queue<Passed> out = new ArrayDeque<>();
    /** From its tasks to its tasks. */
    private final Queue<NumberedMessage> inside = new ArrayDeque<>();
    Exchange exchange;
    private long executed;
    /** Whether it has been told that its container stops, and that nothing is left in the loop. */
    private boolean stops;
    private boolean hasLoopEnded;
    boolean isConnected;
    boolean isRead = true;
    boolean shouldLeave;
    boolean hasAsked;
    private boolean hasAll;
    private boolean hasSentLast;
    /** Whether its stream manager has its last tuple. It does nothing from then on, and takes a while to end. */
    boolean hasLeft;
    int endsAt = Integer.MAX_VALUE;
    /** Whether its container has died. It does nothing more. */
    boolean isOrphan;

    SimulatedProcess(Instance instance, MoveSimulation simulation) {
        this.instance = instance;
        this.simulation = simulation;
        tasks = new HashSet<>(instance.tasks());
        random = simulation.random;
        connectsAt = simulation.step + random.nextInt(MoveSimulation.SECOND);
    }

    void work(SimulatedContainer container) {
        if (isOrphan) {
            return;
        }
        if (!isConnected) {
            if (simulation.step >= connectsAt && !container.isDead() && !hasAsked) {
                isConnected = true;
                container.connect(this);
            }
            return;
        }
        for (int i = random.nextInt(4); i > 0 && !in.isEmpty(); i--) {
            take(in.remove());
        }
        int emits = simulation.isLoop() ? random.nextInt(20) / 19 : random.nextInt(3);
        for (int i = emits; i > 0 && simulation.emits && !stops && !hasSentLast && out.size() < PIPE; i--) {
            emit();
        }
        if (simulation.isLoop()) {
            workInLoop(container);
        }
        if ((shouldLeave || (stops && hasLoopEnded)) && !hasAsked) {
            hasAsked = true;
            out.add(Passed.LEAVE);
        } else if (hasAll && !hasSentLast && inside.isEmpty() && random.nextInt(10) == 0) {
            hasSentLast = true;
            out.add(Passed.LEAVE);
        }
    }

    private void take(Passed passed) {
        if (passed.status() != null) {
            hasLoopEnded |= passed.status().moves().resting().keySet().containsAll(tasks);
        } else if (passed.message() == null) {
            hasAll = true;
        } else {
            executed++;
            execute(NumberedMessage.read(passed.message()));
            passed.message().release();
        }
    }

    /** Nine in ten messages lead to another one, so the loop comes to its end. */
    private void execute(NumberedMessage message) {
        simulation.received(message, this);
        if (simulation.isLoop() && random.nextInt(20) < 9) {
            emit();
            emit();
        }
    }

    private void workInLoop(SimulatedContainer container) {
        for (int i = random.nextInt(4); i > 0 && !inside.isEmpty(); i--) {
            execute(inside.remove());
        }
        stops |= container.stops() && random.nextInt(10) == 0;
        if (stops && !hasAsked && in.isEmpty() && inside.isEmpty() && random.nextInt(5) == 0) {
            out.add(new Passed(null, new InstanceStatus(Set.of(), Moves.ofRest(instance.id(), executed), Set.of(), Set.of(), Map.of())));
        }
    }

    private void emit() {
        int source = List.copyOf(tasks).get(random.nextInt(tasks.size()));
        int target = 1 + random.nextInt(SimulatedAssignment.TASKS);
        if (simulation.isLoop() || !tasks.contains(target)) {
            NumberedMessage message = new NumberedMessage(source, target,
                simulation.numbers.merge(List.of(source, target), 1, Integer::sum) - 1);
            simulation.sent.add(message);
            if (tasks.contains(target)) {
                inside.add(message);
            } else {
                out.add(new Passed(message.write()));
            }
        }
    }

    void lose() {
        List.of(in, out).forEach(queue -> {
            queue.stream().filter(passed -> passed.message() != null).forEach(passed -> {
                simulation.maybeLost.add(NumberedMessage.read(passed.message()));
                passed.message().release();
            });
            queue.clear();
        });
    }

    /** What goes between an instance and its stream manager: a message, a status, or {@link StreamWire#LEAVE} if it has neither. */
    record Passed(ByteBuf message, InstanceStatus status) {

        static final Passed LEAVE = new Passed(null, null);

        Passed(ByteBuf message) {
            this(message, null);
        }
    }
}
