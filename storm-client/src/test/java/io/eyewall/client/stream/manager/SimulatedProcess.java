package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.wire.StreamWire;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/** The process of an instance in the simulation. Its tasks send to all tasks of others. */
final class SimulatedProcess {
    private static final int PIPE = 10;

    final Instance instance;
    final Set<Integer> tasks;
    private final MoveSimulation simulation;
    private final Random random;
    private final int connectsAt;
    final Queue<Passed> in = new ArrayDeque<>();
    final Queue<Passed> out = new ArrayDeque<>();
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
            Passed passed = in.remove();
            if (passed.message() == null) {
                hasAll = true;
            } else {
                NumberedMessage message = NumberedMessage.read(passed.message());
                simulation.received(message, this);
                passed.message().release();
            }
        }
        for (int i = random.nextInt(3); i > 0 && simulation.emits && !hasSentLast && out.size() < PIPE; i--) {
            emit();
        }
        if (shouldLeave && !hasAsked) {
            hasAsked = true;
            out.add(new Passed(null));
        } else if (hasAll && !hasSentLast && random.nextInt(10) == 0) {
            hasSentLast = true;
            out.add(new Passed(null));
        }
    }

    private void emit() {
        int source = List.copyOf(tasks).get(random.nextInt(tasks.size()));
        int target = 1 + random.nextInt(SimulatedAssignment.TASKS);
        if (!tasks.contains(target)) {
            NumberedMessage message = new NumberedMessage(source, target,
                simulation.numbers.merge(List.of(source, target), 1, Integer::sum) - 1);
            simulation.sent.add(message);
            out.add(new Passed(message.write()));
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

    /** What goes between an instance and its stream manager: a message, or {@link StreamWire#LEAVE} if it is null. */
    record Passed(ByteBuf message) {
    }
}
