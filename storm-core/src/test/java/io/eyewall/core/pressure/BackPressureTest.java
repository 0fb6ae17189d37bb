package io.eyewall.core.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.core.pressure.BackPressure.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BackPressureTest {

    /** words to split and log; split to count; count to store. */
    private static final Map<String, Set<String>> RECEIVERS = Map.of("words", Set.of("split", "log"), "split", Set.of("count"),
        "count", Set.of("store"), "store", Set.of(), "log", Set.of());

    @Test
    void shouldNameTheComponentWhereTheChainOfFullQueuesEnds() {
        BackPressure pressure = BackPressure.of(List.of(queue("split", 1, 90), queue("count", 2, 120), queue("count", 3, 0),
            queue("count", 4, 200), queue("store", 5, 0), queue("log", 6, 0), queue("words", 7, 0)), RECEIVERS);

        assertEquals(1, pressure.culprits().size());
        BackPressure.Culprit culprit = pressure.culprits().get(0);
        assertEquals("count", culprit.component());
        assertEquals(Set.of("split", "words"), culprit.holds());
        assertEquals(200, culprit.fullMs());
        assertEquals(List.of(4, 2), culprit.executors().stream().map(ExecutorQueue::firstTask).toList());
        assertEquals(State.CULPRIT, pressure.components().get("count").state());
        assertEquals(2, pressure.components().get("count").full());
        assertEquals(3, pressure.components().get("count").executors());
        assertEquals(State.HELD, pressure.components().get("split").state());
        assertEquals(State.HELD, pressure.components().get("words").state());
        assertEquals(State.FREE, pressure.components().get("store").state());
        assertEquals(State.FREE, pressure.components().get("log").state());
    }

    @Test
    void shouldNameSeveralCulpritsTheLongestFirst() {
        BackPressure pressure = BackPressure.of(List.of(queue("log", 1, 90), queue("store", 2, 120)), RECEIVERS);
        assertEquals(List.of("store", "log"), pressure.culprits().stream().map(BackPressure.Culprit::component).toList());
        assertEquals(Set.of("count"), pressure.culprits().get(0).holds());
        assertEquals(Set.of("words"), pressure.culprits().get(1).holds());
    }

    @Test
    void shouldNameAllOfACircle() {
        BackPressure pressure = BackPressure.of(List.of(queue("a", 1, 5), queue("b", 2, 7)),
            Map.of("spout", Set.of("a"), "a", Set.of("b"), "b", Set.of("a")));
        assertEquals(List.of("b", "a"), pressure.culprits().stream().map(BackPressure.Culprit::component).toList());
        assertEquals(new TreeSet<>(Set.of("spout", "b")), pressure.culprits().get(1).holds());
    }

    @Test
    void shouldNameNobodyWhenNoQueueIsFull() {
        BackPressure pressure = BackPressure.of(List.of(queue("count", 1, 0)), RECEIVERS);
        assertEquals(List.of(), pressure.culprits());
        assertEquals(Set.of("count", "log", "split", "store", "words"), pressure.components().keySet());
    }

    @Test
    void shouldReadAWorkersPage() {
        String page = "eyewall-queues 1 my topology-7-1700000000 1700000000000\ncount\t4\t2\t0.75\t3\t1200\n";
        assertEquals(List.of(new ExecutorQueue("count", 4, 2, "host", 6700, 0.75, 3, 1_200)),
            ExecutorQueue.parse(page, "my topology-7-1700000000", "host", 6700));
        assertEquals("count[4-5] at host:6700", ExecutorQueue.parse(page, "my topology-7-1700000000", "host", 6700).get(0).toString());
        for (String bad : List.of("", "404", "eyewall-queues 2 t 1", "eyewall-queues 1 other-1-1 1700\n",
            "eyewall-queues 1 t-1-1 17\ncount\tx\t2\t0.75\t3\t1200\n", "eyewall-queues 1 t-1-1 17\ncount\t4\n")) {
            assertThrows(IllegalArgumentException.class, () -> ExecutorQueue.parse(bad, "t-1-1", "host", 6700), bad);
        }
    }

    static ExecutorQueue queue(String component, int task, long fullMs) {
        return new ExecutorQueue(component, task, 1, "host-1", 6700, fullMs > 0 ? 0.9 : 0.1, 0, fullMs);
    }
}
