package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Keeps a topology with stateful bolts from making checkpoints while its bolts move: a checkpoint goes from task to task, and a task that
 * has seen half of it cannot hand that over. A worker that has bolts to send away <em>asks</em> for a rest. The worker that runs the
 * checkpoint spout lets it end the checkpoint that it has begun, and announces that the spout <em>rests</em>. Then the bolts move. Each
 * bolt commits all of its state before it leaves, and its new worker restores the state. When no bolt is moving, the spout continues. This
 * class decides; it does not own the spout.
 *
 * <p>Both sides read the announcements of the others after ZooKeeper has stored their own. So of a worker that asks and one whose spout is
 * about to continue, at least one sees the other, as long as the {@link AnnouncementBoard} returns no old announcement. Used by the thread
 * that moves executors.
 */
final class Checkpoints {

    /** The checkpoint spout. In a worker that does not run the spout, no method has an effect, and {@link #isQuiet} returns false. */
    interface Spout {

        /** Makes the spout begin no more checkpoints. */
        void rest();

        /** Whether the spout has ended the checkpoint that it had begun. */
        boolean isQuiet();

        /** Makes the spout begin checkpoints again. */
        void resume();
    }

    /** The spout of a topology without checkpoints. */
    private static final Spout NO_SPOUT = new Spout() {
        @Override
        public void rest() {
        }

        @Override
        public boolean isQuiet() {
            return false;
        }

        @Override
        public void resume() {
        }
    };

    private final boolean areMade;
    private final Spout spout;
    private final IntPredicate isBolt;

    /** The number of the read at which each awaited executor was first seen to be free. */
    private final Map<List<Long>, Long> freeAtRead = new HashMap<>();

    private boolean asks;
    private boolean rests;
    private boolean moving;
    private boolean hasAsked;
    private boolean hasRested;
    /** How often the board had been read when ZooKeeper stored that this worker asks, and below, that its spout no longer rests. */
    private long askedAtRead;
    private long wentOnAtRead = -1;

    /** For a topology with checkpoints; {@code isBolt} returns whether a task belongs to a bolt. */
    Checkpoints(Spout spout, IntPredicate isBolt) {
        this(true, spout, isBolt);
    }

    private Checkpoints(boolean areMade, Spout spout, IntPredicate isBolt) {
        this.areMade = areMade;
        this.spout = spout;
        this.isBolt = isBolt;
    }

    /** For a topology without checkpoints: no worker asks, and every executor may leave or start. */
    static Checkpoints none() {
        return new Checkpoints(false, NO_SPOUT, task -> false);
    }

    /** Whether this worker waits for the spout to rest. */
    boolean asks() {
        return asks;
    }

    /** Whether the spout rests in this worker. */
    boolean rests() {
        return rests;
    }

    /**
     * Makes the spout rest or continue.
     *
     * @param view the announcements of the other workers
     * @param reads how often the board has been read
     * @param leaving whether this worker has a bolt that only checkpoints keep from leaving
     * @param mine what this worker announces about tasks
     */
    void update(TopologyView view, long reads, boolean leaving, Announcement mine) {
        asks = areMade && leaving;
        moving = asks || view.anyAsks() || view.anyOnTheWay(mine, isBolt);
        if (moving) {
            spout.rest();
        } else if (mayGoOn(reads)) {
            spout.resume();
        }
        rests = moving && spout.isQuiet();
    }

    /** Whether bolts that could leave may do so. */
    boolean mayBoltsLeave(TopologyView view, long reads) {
        return !areMade || rests || (hasAsked && reads > askedAtRead && view.anyRests());
    }

    /** Whether the spout may leave; it then makes checkpoints in another worker. */
    boolean maySpoutLeave(long reads) {
        return !moving && mayGoOn(reads);
    }

    /**
     * Whether it is certain that no other worker starts an awaited executor, and whether checkpoints rest. The announcement of one worker
     * may be older than that of another, except at the next read. Of two workers that announce that they await an executor and then read
     * the other's announcement, at least one sees the other.
     *
     * @param free whether no other worker runs its tasks or awaits them
     */
    boolean isCertain(List<Long> executor, boolean free, long reads) {
        if (!free) {
            freeAtRead.remove(executor);
            return false;
        }
        return reads > freeAtRead.computeIfAbsent(executor, first -> reads);
    }

    /** Forgets an executor that is no longer awaited. */
    void forget(List<Long> executor) {
        freeAtRead.remove(executor);
    }

    /** Whether no checkpoint is being made, so that bolts that arrive get their state at once. */
    boolean areResting(TopologyView view) {
        return rests || view.anyRests();
    }

    /** Called when ZooKeeper has stored this worker's announcement; returns whether the board must be read again. */
    boolean announced(long reads) {
        boolean again = false;
        if (asks && !hasAsked) {
            askedAtRead = reads;
            again = true;
        }
        if (!rests && hasRested) {
            wentOnAtRead = reads;
            again = true;
        }
        hasAsked = asks;
        hasRested = rests;
        return again;
    }

    /** Whether the announcements of the others have been read since this worker announced that its spout no longer rests. */
    private boolean mayGoOn(long reads) {
        return !hasRested && reads > wentOnAtRead;
    }
}
