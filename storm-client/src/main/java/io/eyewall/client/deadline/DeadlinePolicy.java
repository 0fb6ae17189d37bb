package io.eyewall.client.deadline;

import java.util.Arrays;
import java.util.Locale;

/**
 * The order in which executors begin: that of the deadlines of their tuples, minus a lead that follows from costs. After Xu, section
 * 5.4.2, equation 5.3 and what follows it, and section 5.5.4. With each policy a tuple waits at most about as long as the longest target of
 * all spouts for tuples that are emitted later, so that nothing starves.
 *
 * <p>Worked example: a tuple is due at 20 ms, costs 2 ms at the operator, and 3 ms behind it. It begins in the order of 15 ms with
 * {@link #LLF}, and of 17 ms with {@link #EDF}. With {@link #SJF} and a longest target of 1 s, a tuple waits for 0.01 s at most for later
 * ones that cost nothing if it costs 10 us itself, for 0.5 s if it costs 1 ms, and for 0.9 s if it costs 10 ms.
 */
enum DeadlinePolicy {

    /** Least laxity first: by when an operator must begin so that the message is not late. */
    LLF {
        @Override
        long leadNs(long costNs, long behindNs, long longestTargetNs) {
            return costNs + behindNs;
        }
    },

    /** Earliest deadline first: by when an operator must be done so that the message is not late. */
    EDF {
        @Override
        long leadNs(long costNs, long behindNs, long longestTargetNs) {
            return behindNs;
        }
    },

    /**
     * Shortest job first: what costs less at the operator, whatever the targets. In the thesis what costs much waits without bound. Here a
     * cost c delays a tuple by T c / (c + h), where T is the longest target and h a thousandth of it: always more for more cost, and always
     * by less than T.
     */
    SJF {
        @Override
        long leadNs(long costNs, long behindNs, long longestTargetNs) {
            return -(long) ((double) longestTargetNs * costNs / (costNs + HALF * longestTargetNs));
        }
    },

    /** Fair shares: who has used least of the {@linkplain Shares virtual time}, whatever the targets and the costs of operators. */
    FAIR {
        @Override
        long leadNs(long costNs, long behindNs, long longestTargetNs) {
            return 0;
        }
    };

    /** A cost of this part of the longest target delays a tuple by half of that target. */
    private static final double HALF = 1e-3;

    /**
     * The policy that a user has named.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    static DeadlinePolicy named(Object name) {
        return Arrays.stream(values()).filter(policy -> policy.word().equals(name)).findFirst().orElseThrow(IllegalArgumentException::new);
    }

    /** The name in a configuration. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether spouts have shares by their tokens, and need no targets. */
    boolean sharesByTokens() {
        return this == FAIR;
    }

    /**
     * How much earlier than at its deadline a tuple begins, in nanoseconds; negative if it begins later.
     *
     * @param costNs what a tuple costs at the operator
     * @param behindNs what it costs on the most expensive path behind it
     * @param longestTargetNs the longest target of all spouts
     */
    abstract long leadNs(long costNs, long behindNs, long longestTargetNs);
}
