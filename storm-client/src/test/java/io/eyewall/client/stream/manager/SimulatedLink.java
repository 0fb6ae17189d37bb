package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.Random;
import org.apache.storm.messaging.TaskMessage;

/** The way from one stream manager of the simulation to another, in order. It stands still now and then. */
final class SimulatedLink {

    final Queue<Passed> queue = new ArrayDeque<>();
    private int slowUntil;

    void work(Random random, int step) {
        if (random.nextInt(MoveSimulation.SECOND) == 0) {
            slowUntil = step + random.nextInt(MoveSimulation.SECOND);
        }
    }

    boolean hasNext(int step) {
        return step >= slowUntil && !queue.isEmpty();
    }

    boolean hasMessages() {
        return queue.stream().anyMatch(passed -> passed.message() != null);
    }

    /** Loses what is under way, and adds the messages to those that are lost. */
    void lose(Collection<NumberedMessage> lost) {
        queue.stream().filter(passed -> passed.message() != null).forEach(passed -> lost.add(NumberedMessage.read(
            StreamWire.fromContainer(NumberedMessage.BUFFERS, passed.message()))));
        queue.clear();
    }

    /** What goes between stream managers: a message, or else a report. */
    record Passed(TaskMessage message, InstanceStatus report) {
    }
}
