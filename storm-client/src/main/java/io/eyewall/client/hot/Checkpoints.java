package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Keeps a topology with stateful bolts from making checkpoints while its bolts move: a checkpoint goes from task to task, and a task that
 * has seen half of it cannot hand that over. A worker that has bolts to send away <em>asks</em>; the one that runs the checkpoint spout
 * lets it end what it has begun, and says that it <em>rests</em>. Then the bolts move. Each commits all of its state before it leaves and
 * gets it back where it starts. When no bolt is on its way any more, the spout goes on. This class decides; it does not own the spout.
 *
 * <p>Both sides read what the others announce after ZooKeeper has taken what they announce themselves. So of a worker that asks and one
 * that is about to go on, at least one sees the other, as long as the {@link AnnouncementBoard} returns no old announcement. Used by the
 * thread that moves executors.
 */
final class Checkpoints {

    /** The checkpoint spout. In a worker that does not run it, no method has an effect, and it is not quiet. */
    interface Spout {

        /** It begins no more checkpoints. */
        void rest();

        /** Whether it has ended the one that it had begun. */
        boolean isQuiet();

        /** It makes checkpoints. */
        void resume();
    }

    /** For a topology that makes none. */
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

    /** At which read each awaited executor was first seen to be free. */
    private final Map<List<Long>, Long> freeAtRead = new HashMap<>();

    private boolean asks;
    private boolean rests;
    private boolean moving;
    private boolean hasAsked;
    private boolean hasRested;
    /** How often the board had been read when ZooKeeper took that this worker asks, and that the spout rests no more. */
    private long askedAtRead;
    private long wentOnAtRead = -1;

    /** Of a topology that makes them; {@code isBolt} says whether a task is one of a bolt. */
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
     * Has the spout rest or go on.
     *
     * @param view what the others announce
     * @param reads how often that has been read
     * @param leaving whether a bolt is here that could leave except for checkpoints
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

    /** Whether the spout, which then makes checkpoints elsewhere, may leave. */
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

    /** An executor is no longer to come. */
    void forget(List<Long> executor) {
        freeAtRead.remove(executor);
    }

    /** Whether no checkpoint is being made, so that bolts that arrive get their state at once. */
    boolean areResting(TopologyView view) {
        return rests || view.anyRests();
    }

    /** ZooKeeper has taken this worker's announcement; returns whether the others have to be read again. */
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

    /** Whether the others have been heard since this worker said that the spout rests no more. */
    private boolean mayGoOn(long reads) {
        return !hasRested && reads > wentOnAtRead;
    }
}
