package io.eyewall.transport.fabric.binding;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Drives the library by polling until something has happened: nothing happens in it unless somebody polls. */
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
