package io.eyewall.client.stream.wire;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
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
 */
public record Moves(Set<Integer> leaving, Set<Integer> claimed, Set<Integer> owed, long mark, Set<Long> seen) {

    /** Nothing leaves. */
    public static final Moves NONE = new Moves(Set.of(), Set.of(), Set.of(), 0, Set.of());

    /** Makes copies. */
    public Moves {
        leaving = Set.copyOf(leaving);
        claimed = Set.copyOf(claimed);
        owed = Set.copyOf(owed);
        seen = Set.copyOf(seen);
    }

    /** What an instance gets: the tasks that leave here, and those elsewhere that leave or whose last tuples have not arrived. */
    public static Moves of(Set<Integer> leavingHere, Collection<InstanceStatus> others) {
        Set<Integer> all = new HashSet<>(leavingHere);
        others.forEach(status -> {
            all.addAll(status.moves().leaving);
            all.addAll(status.moves().owed);
        });
        return all.isEmpty() ? NONE : new Moves(all, Set.of(), Set.of(), 0, Set.of());
    }

    /** Whether it says the same as another one, except for what was seen. */
    public boolean equalsExceptSeen(Moves other) {
        return leaving.equals(other.leaving) && owed.equals(other.owed) && claimed.equals(other.claimed) && mark == other.mark;
    }

    void write(ByteBuf to) {
        InstanceStatus.write(leaving, to);
        InstanceStatus.write(claimed, to);
        InstanceStatus.write(owed, to);
        to.writeLong(mark);
        to.writeInt(seen.size());
        seen.forEach(to::writeLong);
    }

    static Moves read(ByteBuf from) throws WireException {
        Set<Integer> leaving = InstanceStatus.readSet(from);
        Set<Integer> claimed = InstanceStatus.readSet(from);
        Set<Integer> owed = InstanceStatus.readSet(from);
        if (from.readableBytes() < Long.BYTES) {
            throw new WireException("A status ends early.");
        }
        long mark = from.readLong();
        Set<Long> seen = new HashSet<>();
        for (int i = InstanceStatus.count(from, Long.BYTES); i > 0; i--) {
            seen.add(from.readLong());
        }
        return new Moves(leaving, claimed, owed, mark, seen);
    }
}
