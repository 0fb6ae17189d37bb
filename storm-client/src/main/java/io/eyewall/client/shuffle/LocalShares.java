package io.eyewall.client.shuffle;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shares with which executors that share a load evenly send as few tuples as possible to other workers. Pure.
 *
 * <p>Each receiver is to get the same load, and each sender sends the same. A worker that has the part <i>r</i> of the receivers and the
 * part <i>s</i> of the senders keeps the part min(1, <i>r</i> / <i>s</i>) of what its senders send. The rest goes to workers whose <i>r</i>
 * is above their <i>s</i>, in proportion to the difference. If all workers do so, every receiver gets the same, and no other shares with
 * this property keep more tuples in their worker.
 */
public final class LocalShares {

    private static final double BILLION = 1e9;

    private LocalShares() {
    }

    /** The senders and receivers of one worker. */
    private static final class Worker {

        private long senders;
        private long receivers;

        /** By how much it can receive more than its own senders send, in a unit that all workers share; 0 if by nothing. */
        private long spare(long allSenders, long allReceivers) {
            return Math.max(0, receivers * allSenders - senders * allReceivers);
        }
    }

    /**
     * The same share for each receiver.
     *
     * @param receivers how many there are
     */
    public static List<Double> equal(int receivers) {
        return Collections.nCopies(receivers, rounded(1.0 / receivers));
    }

    /**
     * The share of each receiver in what a sender sends.
     *
     * @param here the sender's worker; if no sender is there, the shares are equal
     * @param senders the worker of each sender
     * @param receivers the worker of each receiver
     * @param <W> identifies workers
     * @return the shares, in the order of the receivers; their sum is 1 nearly, since they are rounded to billionths, so that equal ones
     *     compare as equal
     */
    public static <W> List<Double> of(W here, List<W> senders, List<W> receivers) {
        Map<W, Worker> workers = new HashMap<>();
        senders.forEach(worker -> workers.computeIfAbsent(worker, key -> new Worker()).senders++);
        receivers.forEach(worker -> workers.computeIfAbsent(worker, key -> new Worker()).receivers++);
        Worker local = workers.get(here);
        if (local == null || local.senders == 0) {
            return equal(receivers.size());
        }

        double kept = Math.min(1, (double) (local.receivers * senders.size()) / (local.senders * receivers.size()));
        long spare = workers.values().stream().mapToLong(worker -> worker.spare(senders.size(), receivers.size())).sum();
        return receivers.stream().map(place -> {
            Worker worker = workers.get(place);
            double ofWorker = place.equals(here) ? kept
                : kept == 1 ? 0 : (1 - kept) * worker.spare(senders.size(), receivers.size()) / spare;
            return rounded(ofWorker / worker.receivers);
        }).toList();
    }

    private static double rounded(double share) {
        return Math.round(share * BILLION) / BILLION;
    }
}
