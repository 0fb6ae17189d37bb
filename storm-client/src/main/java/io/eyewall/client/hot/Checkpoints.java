package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Keeps a topology with stateful bolts from making checkpoints while its bolts move: a checkpoint goes from task to task, and a task that
 * has seen half of it cannot hand that over. A worker that has bolts to send away <em>asks</em>; the one that runs the checkpoint spout
 * lets it end what it has begun, and says that it <em>rests</em>; then the bolts go, each with all of its state committed, and get it back
 * where they come to; when none is on its way any more, the spout goes on. Decides; the spout is somebody else's.
 *
 * <p>Both sides read what the others announce after ZooKeeper has taken what they announce themselves: so, of a worker that asks and one
 * that is about to go on, one at least sees the other; as long as the {@linkplain Board board} is read as it is. Used by the thread that
 * moves executors.
 */
final class Checkpoints {

    /** The checkpoint spout, if this worker runs it; otherwise nothing that it is told has an effect, and it is not quiet. */
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

    /** When each executor that is to come was first seen to be free. */
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

    /** Of a topology that makes none: nobody asks, and whatever could leave or come may do so. */
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
     * @param leaving whether a bolt is here that could leave but for checkpoints
     * @param mine what this worker says of tasks
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
     * Whether it is certain, of an executor that is to come, that nobody else starts it, and whether checkpoints rest: what is read of
     * one worker may be older than what has been read of another, but only once. Of two workers that announce that they await an executor,
     * and then read what the other one announces, one at least sees the other.
     *
     * @param free whether nobody else runs its tasks or awaits them
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

    /** ZooKeeper has taken what this worker says; answers whether the others have to be heard after that. */
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
