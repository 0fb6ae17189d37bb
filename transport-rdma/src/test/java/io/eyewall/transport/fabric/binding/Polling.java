package io.eyewall.transport.fabric.binding;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Polls the library until a condition holds: the library makes progress only while it is polled. */
final class Polling {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private Polling() {
    }

    static void until(String expectation, BooleanSupplier poll) {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!poll.getAsBoolean()) {
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError("Not within a minute: " + expectation);
            }
            Thread.onSpinWait();
        }
    }
}
