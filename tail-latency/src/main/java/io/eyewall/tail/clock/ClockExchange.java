package io.eyewall.tail.clock;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The exchange of questions and answers with one other host, and the offset of that host's clock. Used by one thread, except
 * {@link #offset()}.
 *
 * <p>One question is on its way at a time. The next one replaces it, so that late, repeated and foreign answers are ignored. The first
 * questions follow each other quickly, since the shortest of a few round trips is much better than the first.
 */
public final class ClockExchange {

    /** The time between two questions: at the drift that is allowed for, the age of an answer then adds 25 us to the error. */
    static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    static final long FIRST_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    static final int FIRST_QUESTIONS = 10;
    /** How long a published offset holds: every answer renews it, and one answer may be lost. */
    private static final long PUBLISHED_FOR_NS = 2 * INTERVAL_NS;

    private final InetSocketAddress address;
    private final LongSupplier random;
    private final ClockOffsetEstimator estimator = new ClockOffsetEstimator();

    private int questions;
    private int answers;
    private long nextNs;
    private boolean asking;
    private long nonce;
    private long askedNs;

    /** Written by the probing thread, read by any. */
    private volatile ClockOffset offset;

    /**
     * An exchange whose first question is due at once.
     *
     * @param address where the other host's {@link ClockProber} listens
     * @param random returns nonces, and the variation of the time at which to ask
     */
    ClockExchange(InetSocketAddress address, LongSupplier random, long nowNs) {
        this.address = address;
        this.random = random;
        this.nextNs = nowNs;
    }

    InetSocketAddress address() {
        return address;
    }

    /** The last published offset, with an error bound that holds now; empty while it is unknown. Safe for use by any thread. */
    public Optional<ClockOffset> offset() {
        return Optional.ofNullable(offset);
    }

    /** How many questions were asked. Many without an {@link #offset()} mean that questions or answers do not get through. */
    public int questions() {
        return questions;
    }

    /** How long until the next question is due, in nanoseconds; not positive if it is due now. */
    long untilDueNs(long nowNs) {
        return nextNs - nowNs;
    }

    /** The question to be sent now, at {@code nowNs}. */
    ClockProbe ask(long topology, long nowNs) {
        questions++;
        long intervalNs = questions < FIRST_QUESTIONS ? FIRST_INTERVAL_NS : INTERVAL_NS;
        // Up to an eighth earlier, so that questions to many peers spread.
        nextNs = nowNs + intervalNs - Math.floorMod(random.getAsLong(), intervalNs / 8);
        nonce = random.getAsLong();
        asking = true;
        askedNs = nowNs;
        publish(nowNs);
        return ClockProbe.question(topology, nonce);
    }

    /**
     * Takes an answer.
     *
     * @return whether it is the answer to the question that is on its way
     */
    boolean hear(ClockProbe answer, long nowNs) {
        if (!asking || !answer.answer() || answer.nonce() != nonce) {
            return false;
        }
        asking = false;
        answers++;
        estimator.add(askedNs, answer.receivedNs(), answer.answeredNs(), nowNs);
        publish(nowNs);
        return true;
    }

    private void publish(long nowNs) {
        if (answers >= FIRST_QUESTIONS / 2) {
            offset = estimator.at(nowNs + PUBLISHED_FOR_NS).orElse(null);
        }
    }
}
