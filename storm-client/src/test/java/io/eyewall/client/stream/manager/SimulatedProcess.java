package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.StreamWire;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/** A process with one executor in the simulation. */
final class SimulatedProcess {
    private static final int PIPE = 10;

    final int id;
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
    private boolean hasLeft;
    int endsAt = Integer.MAX_VALUE;

    SimulatedProcess(int id, MoveSimulation simulation) {
        this.id = id;
        this.simulation = simulation;
        random = simulation.random;
        connectsAt = simulation.step + random.nextInt(MoveSimulation.SECOND);
    }

    void work(MoveSimulation.Container container) {
        if (!isConnected) {
            if (simulation.step >= connectsAt && !container.isDead()) {
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
                simulation.received(NumberedMessage.read(passed.message()));
                passed.message().release();
            }
        }
        for (int i = random.nextInt(3); i > 0 && simulation.emits && !hasLeft && out.size() < PIPE; i--) {
            emit();
        }
        if (shouldLeave && !hasAsked) {
            hasAsked = true;
            out.add(new Passed(null));
        } else if (hasAll && !hasLeft && random.nextInt(10) == 0) {
            hasLeft = true;
            out.add(new Passed(null));
        }
    }

    private void emit() {
        int target = 1 + random.nextInt(MoveSimulation.INSTANCES);
        if (target != id) {
            NumberedMessage message = new NumberedMessage(id, target, simulation.numbers.merge(List.of(id, target), 1, Integer::sum) - 1);
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
