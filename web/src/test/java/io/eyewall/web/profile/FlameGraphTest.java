package io.eyewall.web.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlameGraphTest {

    @TempDir
    private static Path directory;

    private static Path recording;

    @BeforeAll
    static void record() throws Exception {
        recording = directory.resolve("recording.jfr");
        SampledWork.record(recording, "split");
    }

    @Test
    void shouldHaveTheThreadsOfAComponentOrOfOneExecutor() throws IOException {
        assertFalse(graph(Sampled.CPU, "split").isEmpty());
        assertFalse(graph(Sampled.CPU, "split[3-3]").isEmpty());
        for (String other : new String[] {"split[3-4]", "spli", "split[", "other", ".*"}) {
            assertTrue(graph(Sampled.CPU, other).isEmpty(), other);
        }
    }

    @Test
    void shouldAddUpTheProcessesOfARecording() throws IOException {
        Path twice = directory.resolve("twice.jfr");
        byte[] once = Files.readAllBytes(recording);
        byte[] both = new byte[2 * once.length];
        System.arraycopy(once, 0, both, 0, once.length);
        System.arraycopy(once, 0, both, once.length, once.length);
        Files.write(twice, both);
        FlameGraph graph = new FlameGraph(Sampled.ALLOC);
        graph.add(twice, Optional.of("split"), Optional.empty());
        assertEquals(2 * graph(Sampled.ALLOC, "split").total(), graph.total());
    }

    @Test
    void shouldLeaveOutWhoWaitsForWork() {
        String park = "[t tid=1];A.run_[j];java.util.concurrent.locks.LockSupport.park_[j];jdk.internal.misc.Unsafe.park";
        assertTrue(Sampled.LOCK.leavesOut(park));
        assertTrue(Sampled.LOCK.leavesOut(park + "_[0];java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject_[i]"));
        assertFalse(Sampled.LOCK.leavesOut(park + ";java.util.concurrent.locks.ReentrantLock$NonfairSync_[i]"));
        assertFalse(Sampled.LOCK.leavesOut("[t tid=1];A.run_[j];java.lang.Object_[i]"));
        assertTrue(Sampled.CPU.leavesOut("[t tid=1];A.run_[j];sun.nio.ch.EPoll.wait_[0]"));
        assertFalse(Sampled.WALL.leavesOut(park));
    }

    @Test
    void shouldRefuseWhatIsNoRecording() throws IOException {
        Path other = Files.writeString(directory.resolve("other.jfr"), "FLR");
        assertThrows(IOException.class, () -> new FlameGraph(Sampled.CPU).add(other, Optional.empty(), Optional.empty()));
    }

    private static FlameGraph graph(Sampled sampled, String threads) throws IOException {
        FlameGraph graph = new FlameGraph(sampled);
        graph.add(recording, Optional.of(threads), Optional.empty());
        return graph;
    }
}
