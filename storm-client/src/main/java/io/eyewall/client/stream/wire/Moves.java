package io.eyewall.client.stream.wire;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/**
 * What a stream manager reports about its instances that leave and start, by their tasks. Reports and tuples take one connection and keep
 * their order. So a stream manager that has seen a mark has everything that was sent before it. When it reports the mark back, the sender
 * has everything that this stream manager had sent before it saw the mark. Immutable.
 *
 * @param leaving the tasks of instances that leave and have not ended; nobody sends them more
 * @param claimed the tasks that have a process, or get one as soon as nobody else claims them; nobody else starts them
 * @param owed the tasks that have left and whose last tuples have not arrived; instances that have these tasks now are not read until then
 * @param mark the last mark of this stream manager, which begins at random, and is one more for each
 * @param seen the last mark that it has seen of each other stream manager
 * @param resting the tasks in loops of bolts that stop, as long as they have nothing to do, each with a number that stands for this rest.
 *     An instance reports one of its tasks, with the number of messages with tuples that it has got and executed. An instance gets the
 *     tasks of loops that have ended, with any numbers
 * @param agreed the numbers of all tasks of those loops of which every task rests, as this stream manager sees it
 */
public record Moves(Set<Integer> leaving, Set<Integer> claimed, Set<Integer> owed, long mark, Set<Long> seen, Map<Integer, Long> resting,
        Set<Long> agreed) {

    /** Nothing leaves. */
    public static final Moves NONE = new Moves(Set.of(), Set.of(), Set.of(), 0, Set.of());

    /** Makes copies. */
    public Moves {
        leaving = Set.copyOf(leaving);
        claimed = Set.copyOf(claimed);
        owed = Set.copyOf(owed);
        seen = Set.copyOf(seen);
        resting = Map.copyOf(resting);
        agreed = Set.copyOf(agreed);
    }

    /** No loop stops. */
    public Moves(Set<Integer> leaving, Set<Integer> claimed, Set<Integer> owed, long mark, Set<Long> seen) {
        this(leaving, claimed, owed, mark, seen, Map.of(), Set.of());
    }

    /** What an instance reports that waits for its loop and has executed so many messages with tuples, all that it has got. */
    public static Moves ofRest(int task, long executed) {
        return new Moves(Set.of(), Set.of(), Set.of(), 0, Set.of(), Map.of(task, executed), Set.of());
    }

    /**
     * What an instance gets: the tasks that leave here, those elsewhere that leave or whose last tuples have not arrived, and those of
     * loops that have ended.
     */
    public static Moves of(Set<Integer> leavingHere, Collection<InstanceStatus> others, Set<Integer> ended) {
        Set<Integer> all = new HashSet<>(leavingHere);
        others.forEach(status -> {
            all.addAll(status.moves().leaving);
            all.addAll(status.moves().owed);
        });
        return all.isEmpty() && ended.isEmpty() ? NONE : new Moves(all, Set.of(), Set.of(), 0, Set.of(),
            ended.stream().collect(Collectors.toMap(task -> task, task -> 0L)), Set.of());
    }

    /** Whether it says the same as another one, except for what was seen. */
    public boolean equalsExceptSeen(Moves other) {
        return leaving.equals(other.leaving) && owed.equals(other.owed) && claimed.equals(other.claimed) && mark == other.mark
            && resting.equals(other.resting) && agreed.equals(other.agreed);
    }

    void write(ByteBuf to) {
        InstanceStatus.write(leaving, to);
        InstanceStatus.write(claimed, to);
        InstanceStatus.write(owed, to);
        to.writeLong(mark);
        writeNumbers(seen, to);
        to.writeInt(resting.size());
        resting.forEach((task, number) -> to.writeInt(task).writeLong(number));
        writeNumbers(agreed, to);
    }

    private static void writeNumbers(Set<Long> numbers, ByteBuf to) {
        to.writeInt(numbers.size());
        numbers.forEach(to::writeLong);
    }

    static Moves read(ByteBuf from) throws WireException {
        Set<Integer> leaving = InstanceStatus.readSet(from);
        Set<Integer> claimed = InstanceStatus.readSet(from);
        Set<Integer> owed = InstanceStatus.readSet(from);
        if (from.readableBytes() < Long.BYTES) {
            throw new WireException("A status ends early.");
        }
        long mark = from.readLong();
        Set<Long> seen = readNumbers(from);
        Map<Integer, Long> resting = new HashMap<>();
        for (int i = InstanceStatus.count(from, Integer.BYTES + Long.BYTES); i > 0; i--) {
            resting.put(from.readInt(), from.readLong());
        }
        return new Moves(leaving, claimed, owed, mark, seen, resting, readNumbers(from));
    }

    private static Set<Long> readNumbers(ByteBuf from) throws WireException {
        Set<Long> numbers = new HashSet<>();
        for (int i = InstanceStatus.count(from, Long.BYTES); i > 0; i--) {
            numbers.add(from.readLong());
        }
        return numbers;
    }
}
