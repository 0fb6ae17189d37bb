package io.eyewall.integration.system;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What became of the messages of a spout task, over all its instances, by the lines {@code open}, {@code emit N}, {@code ack N} and
 * {@code fail N} that they have written one after the other.
 */
final class SpoutAccount {

    private final Set<String> underWay = new HashSet<>();
    private final Set<String> abandoned = new HashSet<>();
    private int instances;
    private long emitted;
    private long acked;
    private long failed;
    private long replayed;

    /** Throws {@link AssertionError} where a message is emitted while it is under way, or comes back when it is not. */
    SpoutAccount(List<String> lines) {
        for (String line : lines) {
            if (line.equals("open")) {
                instances++;
                abandoned.addAll(underWay);
                underWay.clear();
                continue;
            }
            String message = line.substring(line.indexOf(' ') + 1);
            if (line.startsWith("emit ")) {
                emitted++;
                replayed += abandoned.remove(message) ? 1 : 0;
                require(underWay.add(message), line);
            } else {
                acked += line.startsWith("ack ") ? 1 : 0;
                failed += line.startsWith("fail ") ? 1 : 0;
                require(underWay.remove(message), line);
            }
        }
    }

    /** Whether each message is acked, has failed, or was emitted by an instance that died and again by a later one. */
    boolean isSettled() {
        return underWay.isEmpty() && abandoned.isEmpty() && emitted == acked + failed + replayed;
    }

    /** How many times the spout task has been opened. */
    int instances() {
        return instances;
    }

    @Override
    public String toString() {
        return String.format("%d spouts emitted %d: %d acked, %d failed, %d replayed by the next spout, %d of others lost, %d under way",
            instances, emitted, acked, failed, replayed, abandoned.size(), underWay.size());
    }

    private static void require(boolean expected, String line) {
        if (!expected) {
            throw new AssertionError("The spout wrote '" + line + "' of a message that " + (line.startsWith("emit ") ? "is" : "is not")
                + " under way.");
        }
    }
}
