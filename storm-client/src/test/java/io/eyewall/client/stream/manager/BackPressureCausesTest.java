package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.stream.plan.Instance;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackPressureCausesTest {

    private static final Instance WORDS = new Instance(1, "words", List.of(List.of(1L, 1L)));
    private static final Instance COUNT = new Instance(4, "count", List.of(List.of(4L, 5L)));
    private static final List<Instance> ALL = List.of(WORDS, COUNT);

    private final LogLines lines = new LogLines(Level.INFO);
    private final BackPressureCauses held = new BackPressureCauses("all spouts wait");
    private long nowMs = 5_000;

    @AfterEach
    void close() {
        lines.close();
    }

    @Test
    void shouldCountTheTimeOfWhoeverCannotKeepUp() {
        held(5);
        logChangesAfter(1_000);
        assertEquals("4\t1\t1000\n", page());
        nowMs += 500;
        held();
        logChangesAfter(500);
        assertEquals("4\t1000\t1500\n", page(), "it is still taken for a cause");
        logChangesAfter(1_000);
        logChangesAfter(1_000);
        assertEquals("4\t3000\t1500\n", page());
        logChangesAfter(1_000);
        assertEquals("4\t0\t1500\n", page());
    }

    @Test
    void shouldTakeOneThatComesAndGoesForOneCause() {
        for (int i = 0; i < 10; i++) {
            held(4);
            nowMs += 10;
            held();
            logChangesAfter(990);
        }
        assertEquals("4\t9000\t100\n", page());
        assertEquals(1, logged());
        for (int i = 0; i < 3; i++) {
            logChangesAfter(1_000);
        }
        assertEquals(2, logged());
    }

    @Test
    void shouldForgetAnInstanceThatHasMovedAway() {
        held(1, 4);
        logChangesAfter(1_000);
        held.changed(Set.of(1), List.of(WORDS), ns());
        assertEquals("1\t1\t1000\n", page());
    }

    private void held(Integer... tasks) {
        held.changed(Set.of(tasks), ALL, ns());
    }

    private void logChangesAfter(long afterMs) {
        nowMs += afterMs;
        held.logChanges(ns());
    }

    private String page() {
        return held.page(ns());
    }

    private long logged() {
        String counts = lines.toString();
        return Long.parseLong(counts.replaceAll(".*BackPressureCauses=(\\d+).*", "$1"));
    }

    private long ns() {
        return TimeUnit.MILLISECONDS.toNanos(nowMs);
    }
}
