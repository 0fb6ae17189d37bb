package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.Moves;
import java.util.function.Consumer;

/**
 * Counts the messages with tuples that an instance is handed, to find out whether it rests: it has executed all of them, has nothing else
 * to do, and nothing is on its way between it and its stream manager. An instance that waits for its loop reports behind all that it has
 * sent how many it has executed. Used by one thread.
 */
final class Exchange {

    private final Consumer<Boolean> whenChanged;
    private long handed;
    private boolean rests;

    /** With a new instance. {@code whenChanged} is told whether it rests. */
    Exchange(Consumer<Boolean> whenChanged) {
        this.whenChanged = whenChanged;
    }

    /** The instance is handed a message with tuples. */
    void handed() {
        handed++;
        goesOn();
    }

    /** The instance has sent tuples. */
    void goesOn() {
        if (rests) {
            rests = false;
            whenChanged.accept(false);
        }
    }

    /** The instance has reported. */
    void reported(Moves moves) {
        if (!rests && moves.resting().containsValue(handed)) {
            rests = true;
            whenChanged.accept(true);
        }
    }
}
