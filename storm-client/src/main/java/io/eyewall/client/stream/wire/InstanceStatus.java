package io.eyewall.client.stream.wire;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/**
 * A report about instances. An instance reports about itself; a stream manager reports the instances of its container to other stream
 * managers, and to its own instances all that they need to know. Everything is by task, since a task stays the same when it comes to
 * another instance. A status replaces the one before, except for the loads. Immutable.
 *
 * @param tasks the tasks that can be reached
 * @param moves which of them leave or rest; an instance gets the tasks of all containers that leave, whose last tuples may not have
 *     arrived, and whose loops have ended
 * @param held the tasks that cannot keep up, for which senders hold their tuples back
 * @param full the tasks for which too much waits, so that instances that send to them are not read; stream managers report it
 * @param loads how full the input of tasks is, from 0 to 1; tasks that are missing have the load that was reported last
 */
public record InstanceStatus(Set<Integer> tasks, Moves moves, Set<Integer> held, Set<Integer> full, Map<Integer, Double> loads) {

    /** Nothing. */
    public static final InstanceStatus NONE = new InstanceStatus(Set.of(), Set.of(), Map.of());

    /** Makes copies. */
    public InstanceStatus {
        tasks = Set.copyOf(tasks);
        held = Set.copyOf(held);
        full = Set.copyOf(full);
        loads = Map.copyOf(loads);
    }

    /** A status in which nothing is full or leaves. */
    public InstanceStatus(Set<Integer> tasks, Set<Integer> held, Map<Integer, Double> loads) {
        this(tasks, Moves.NONE, held, Set.of(), loads);
    }

    /** Whether the container that reports it has no task, starts none, and owes no tuples. */
    public boolean isEmpty() {
        return tasks.isEmpty() && moves.leaving().isEmpty() && moves.claimed().isEmpty() && moves.owed().isEmpty();
    }

    /** Whether any of these tasks can be reached or leaves. */
    public boolean hasAny(Set<Integer> some) {
        return !Collections.disjoint(tasks, some) || !Collections.disjoint(moves.leaving(), some);
    }

    /** Whether it says the same as another one, except for the loads. */
    public boolean equalsExceptLoads(InstanceStatus other) {
        return tasks.equals(other.tasks) && moves.equals(other.moves) && held.equals(other.held) && full.equals(other.full);
    }

    /** This status, which has come after another one and replaces it. */
    public InstanceStatus after(InstanceStatus before) {
        Map<Integer, Double> all = new HashMap<>(before.loads);
        all.putAll(loads);
        return new InstanceStatus(tasks, moves, held, full, all);
    }

    /** Writes the status. */
    public void write(ByteBuf to) {
        write(tasks, to);
        moves.write(to);
        write(held, to);
        write(full, to);
        to.writeInt(loads.size());
        loads.forEach((task, load) -> {
            to.writeInt(task);
            to.writeDouble(load);
        });
    }

    /**
     * Reads a status, which must take all of the bytes.
     *
     * @throws WireException if they are not a status
     */
    public static InstanceStatus read(ByteBuf from) throws WireException {
        Set<Integer> tasks = readSet(from);
        Moves moves = Moves.read(from);
        Set<Integer> held = readSet(from);
        Set<Integer> full = readSet(from);
        Map<Integer, Double> loads = new HashMap<>();
        int count = count(from, Integer.BYTES + Double.BYTES);
        for (int i = 0; i < count; i++) {
            loads.put(from.readInt(), from.readDouble());
        }
        if (from.isReadable()) {
            throw new WireException("A status has " + from.readableBytes() + " bytes too many.");
        }
        return new InstanceStatus(tasks, moves, held, full, loads);
    }

    static void write(Set<Integer> numbers, ByteBuf to) {
        to.writeInt(numbers.size());
        numbers.forEach(to::writeInt);
    }

    static Set<Integer> readSet(ByteBuf from) throws WireException {
        Set<Integer> numbers = new HashSet<>();
        int count = count(from, Integer.BYTES);
        for (int i = 0; i < count; i++) {
            numbers.add(from.readInt());
        }
        return numbers;
    }

    /** The number of elements that follow, none of which is allocated before their bytes are there. */
    static int count(ByteBuf from, int bytesEach) throws WireException {
        if (from.readableBytes() < Integer.BYTES) {
            throw new WireException("A status ends early.");
        }
        int count = from.readInt();
        if (count < 0 || count > from.readableBytes() / bytesEach) {
            throw new WireException("A status announces " + count + " elements in " + from.readableBytes() + " bytes.");
        }
        return count;
    }
}
