package io.eyewall.client.stream.manager;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process of a stream manager after an exception in a task of its loop. Otherwise the task's future would take the exception, and
 * what the task had to do later would never be done, such as reports on which other containers depend. Immutable; for any thread.
 */
final class LoopGuard {

    private static final Logger LOG = LoggerFactory.getLogger(LoopGuard.class);

    private final Runnable end;

    /** {@code end} ends the process. */
    LoopGuard(Runnable end) {
        this.end = end;
    }

    /** The same task, which ends the process if it throws. */
    Runnable guard(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("This stream manager has failed. Its container starts another one.", e);
                end.run();
            }
        };
    }
}
