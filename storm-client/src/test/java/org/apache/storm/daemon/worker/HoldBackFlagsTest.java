package org.apache.storm.daemon.worker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.generated.NodeInfo;
import org.junit.jupiter.api.Test;

/** Task 2 moves from {@link #OLD} to {@link #NEW}. */
class HoldBackFlagsTest {

    private static final NodeInfo OLD = new NodeInfo("a", Set.of(1L));
    private static final NodeInfo NEW = new NodeInfo("b", Set.of(1L));
    private static final int TASK = 2;

    private final AtomicBoolean[] followed = followed();
    private final AtomicBoolean kept = new AtomicBoolean();
    private final HoldBackFlags flags = new HoldBackFlags(followed, kept);
    private final AtomicBoolean[] ofOld = flags.connecting(OLD);
    private final AtomicBoolean[] ofNew = flags.connecting(NEW);

    @Test
    void shouldHoldBackForTheWorkerThatATaskIsAt() {
        flags.follow(Map.of(TASK, OLD));
        ofOld[TASK].set(true);
        assertTrue(followed[TASK].get());
        ofOld[TASK].set(false);
        assertFalse(followed[TASK].get());
    }

    @Test
    void shouldIgnoreWhatTheOldWorkerSaysAfterTheNewOneHasTheTask() {
        flags.follow(Map.of(TASK, OLD));
        flags.follow(Map.of(TASK, NEW));
        ofNew[TASK].set(false);
        ofOld[TASK].set(true);
        assertFalse(followed[TASK].get());
    }

    @Test
    void shouldKnowWhatTheNewWorkerHasSaidBeforeItHadTheTask() {
        flags.follow(Map.of(TASK, OLD));
        ofNew[TASK].set(true);
        assertFalse(followed[TASK].get());
        flags.follow(Map.of(TASK, NEW));
        assertTrue(followed[TASK].get());
    }

    @Test
    void shouldHoldBackForTuplesThatThisWorkerKeepsWhileItHasNoSpace() {
        flags.follow(Map.of(TASK, OLD));
        ofOld[TASK].set(true);
        flags.retain(Set.of(NEW));
        flags.follow(Map.of(TASK, OLD));
        assertFalse(followed[TASK].get());
        kept.set(true);
        assertTrue(followed[TASK].get());
    }

    private static AtomicBoolean[] followed() {
        AtomicBoolean[] followed = new AtomicBoolean[TASK + 1];
        Arrays.setAll(followed, task -> new AtomicBoolean());
        return followed;
    }
}
