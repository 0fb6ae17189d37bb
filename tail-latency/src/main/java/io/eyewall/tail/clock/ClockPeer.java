package io.eyewall.tail.clock;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The questions to one other host and what its answers say of its clock. Used by one thread but for {@link #offset()}.
 *
 * <p>One question is on its way at a time: the next one gives up the one before, so that a late, a second or a foreign answer counts
 * for nothing. The first questions follow each other quickly, since the smallest of a few round trips is much better than the first.
 */
public final class ClockPeer {

    /** How often each peer is asked: at the drift that is allowed for, the age of an answer then adds 25 us to the error. */
    static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    static final long FIRST_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    static final int FIRST_QUESTIONS = 10;
    /** An offset is published anew with every answer, and allowed for one that is lost. */
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
     * A peer that is to be asked at once.
     *
     * @param address where its {@link ClockProber} listens
     * @param random nonces, and when exactly to ask
     */
    ClockPeer(InetSocketAddress address, LongSupplier random, long nowNs) {
        this.address = address;
        this.random = random;
        this.nextNs = nowNs;
    }

    InetSocketAddress address() {
        return address;
    }

    /** The offset as last published, whose error bound holds for now; empty as long as nothing is known. Safe for use by any thread. */
    public Optional<ClockOffset> offset() {
        return Optional.ofNullable(offset);
    }

    /** How many questions were asked; many without an {@link #offset()} say that they, or the answers, do not get through. */
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
