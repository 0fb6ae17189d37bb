package io.eyewall.client.hot;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs actions on the thread that sends tuples to other workers, after every tuple that was in its queue when the action was requested has
 * been handed to its connection.
 *
 * <p>That thread takes tuples in batches and sends a batch in no particular order, so one fence in the queue is not enough: the tuples of
 * its own batch may be sent behind it. A second fence, inserted after the first one was seen, is in a later batch.
 */
final class TransferFence {

    private enum Stage { IDLE, FIRST, BETWEEN, SECOND }

    private final PeerConnections connections;
    private final Runnable wake;
    /** Written by the conducting thread from IDLE and BETWEEN, by the sending thread from FIRST and SECOND. */
    private volatile Stage stage = Stage.IDLE;
    /** Only for the conducting thread. */
    private List<Runnable> requested = new ArrayList<>();
    /** Written by the conducting thread before the stage, read by the sending thread after it. */
    private List<Runnable> fenced = List.of();

    /** {@code wake} wakes the conducting thread, to call {@link #advance()}. */
    TransferFence(PeerConnections connections, Runnable wake) {
        this.connections = connections;
        this.wake = wake;
    }

    /** Requests an action; on the conducting thread, as {@link #advance()} is. */
    void request(Runnable action) {
        requested.add(action);
    }

    /** Takes the next step, if there is one; returns whether to call this again soon. */
    boolean advance() {
        if (stage == Stage.IDLE && !requested.isEmpty()) {
            fenced = requested;
            requested = new ArrayList<>();
            stage = Stage.FIRST;
            if (!connections.tryFence()) {
                requested.addAll(0, fenced);
                stage = Stage.IDLE;
            }
        } else if (stage == Stage.BETWEEN) {
            stage = Stage.SECOND;
            if (!connections.tryFence()) {
                stage = Stage.BETWEEN;
            }
        }
        return stage != Stage.IDLE || !requested.isEmpty();
    }

    /** Called when a fence came out of the queue; on the sending thread. */
    void passed() {
        if (stage == Stage.FIRST) {
            stage = Stage.BETWEEN;
        } else if (stage == Stage.SECOND) {
            fenced.forEach(Runnable::run);
            stage = Stage.IDLE;
        }
        wake.run();
    }
}
