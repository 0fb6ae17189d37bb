package io.eyewall.client.deadline;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which messages have which target, and which lane: tuples in one lane keep their order, and those of another one may overtake them. There
 * is a lane for each target, the shortest first; with shares, one for each spout, the largest share first. Those that are too many share
 * the last one. Immutable.
 */
final class Lanes {

    /** How many lanes there are at most. */
    static final int MOST = 8;

    private final Map<String, MessageTargets> ofSpouts = new HashMap<>();
    /** The different targets, the shortest first. */
    private final long[] targetsNs;
    private final long[] targetsOfOperatorsNs;
    /** The lanes whose tuples reach an operator, a bit for each. */
    private final int[] ofOperators;

    /**
     * What a message gets.
     *
     * @param ns its target, in nanoseconds
     * @param lane its lane
     * @param takesTokens whether it is less urgent without a token of its spout
     */
    record MessageTarget(long ns, int lane, boolean takesTokens) {
    }

    /**
     * What the messages of a spout get.
     *
     * @param ofAll what those of all streams get; null if streams differ
     * @param ofStreams what those of each stream get
     */
    record MessageTargets(MessageTarget ofAll, Map<String, MessageTarget> ofStreams) {

        /** What the messages of a stream get; null if the spout does not declare it. */
        MessageTarget of(String stream) {
            return ofAll == null ? ofStreams.get(stream) : ofAll;
        }

        /** The lane of the spout, where all of its streams have the same. */
        int lane() {
            return ofAll.lane();
        }
    }

    /** The lanes of a topology with these spouts. */
    Lanes(OperatorGraph graph, Map<String, SpoutTargets> spouts, DeadlinePolicy policy) {
        List<String> byShare = spouts.keySet().stream().sorted(Comparator.comparingLong((String spout) -> -spouts.get(spout).tokensPerSec())
            .thenComparing(Comparator.naturalOrder())).toList();
        targetsNs = spouts.values().stream().flatMap(SpoutTargets::all).mapToLong(Lanes::ns).distinct().sorted().toArray();
        targetsOfOperatorsNs = new long[graph.size()];
        Arrays.fill(targetsOfOperatorsNs, longestTargetNs());
        ofOperators = new int[graph.size()];
        spouts.forEach((spout, targets) -> {
            Map<String, MessageTarget> messages = new HashMap<>();
            targets.ofStreamsMs().forEach((stream, targetMs) -> {
                int lane = policy.sharesByTokens() ? byShare.indexOf(spout) : Arrays.binarySearch(targetsNs, ns(targetMs));
                boolean takesTokens = policy.sharesByTokens() || targetMs < targets.othersMs();
                MessageTarget message = new MessageTarget(ns(targetMs), Math.min(lane, MOST - 1), takesTokens);
                messages.put(stream, message);
                graph.reached(spout, stream).forEach(operator -> {
                    targetsOfOperatorsNs[operator] = Math.min(targetsOfOperatorsNs[operator], message.ns());
                    ofOperators[operator] |= 1 << message.lane();
                });
            });
            List<MessageTarget> different = messages.values().stream().distinct().toList();
            ofSpouts.put(spout, new MessageTargets(different.size() == 1 ? different.get(0) : null, Map.copyOf(messages)));
        });
    }

    /** What the messages of a spout get; null for other components. */
    MessageTargets ofMessages(String component) {
        return ofSpouts.get(component);
    }

    /** The longest target of all spouts, in nanoseconds. */
    long longestTargetNs() {
        return targetsNs[targetsNs.length - 1];
    }

    /** The target of the tuples in a lane, the shortest of them, in nanoseconds. */
    long targetOfLaneNs(int lane) {
        return targetsNs[Math.min(lane, targetsNs.length - 1)];
    }

    /**
     * The shortest target of the messages that lead to an operator; the longest of all if none does, and the shortest of all for components
     * of Storm's. In nanoseconds.
     *
     * @param operator its {@linkplain OperatorGraph#index index}
     */
    long targetNs(int operator) {
        return operator < 0 ? targetsNs[0] : targetsOfOperatorsNs[operator];
    }

    /** The lane of tuples with the {@linkplain #targetNs target} of an operator. */
    int lane(int operator) {
        if (operator < 0) {
            return 0;
        }
        return ofOperators[operator] == 0 ? Math.min(MOST, targetsNs.length) - 1 : Integer.numberOfTrailingZeros(ofOperators[operator]);
    }

    /** Whether tuples of different lanes come to an operator. */
    boolean areSeveral(int operator) {
        return operator >= 0 && Integer.bitCount(ofOperators[operator]) > 1;
    }

    private static long ns(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
