package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.report.Counts;
import io.eyewall.core.report.MeasureDirectory;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Everything against the tail at once, for two hours or as long as the system property {@code eyewall.soak.secs} says: memory stays flat
 * and each message comes back once. What was sampled so far is in {@code target/soak/memory.txt}. Run by {@code bin/test --soak} only.
 */
@Tag("soak")
class TailLatencySoak {

    private static final Path DIRECTORY = Installations.workDirectory("soak");
    private static final String TOPOLOGY = "soak";
    private static final long SECS = Long.getLong("eyewall.soak.secs", 7200);
    private static final int SAMPLES = 40;
    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(2);

    /** What JIT compilation, histograms that grow to their range and the like may add after a quarter of the time. */
    private static final long MAY_GROW_KB = 16 * 1024;
    private static final double MAY_GROW_TO = 1.1;

    /** Of the whole heap, or of each generation, as the collector has it; Metaspace has no total. */
    private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 2).withSettings(QuickSettings.all()));

    /** What one worker held after a garbage collection. */
    private record Memory(long liveKb, long residentKb) {
    }

    @Test
    void shouldKeepMemoryFlatAndBringEachMessageBackOnce() throws Exception {
        ProcessCluster cluster = CLUSTER.cluster();
        Path measured = DIRECTORY.resolve("measured");
        cluster.submit(submission(measured));
        cluster.awaitRunning(TOPOLOGY, 2);
        List<WorkerProcess> workers = cluster.workers(TOPOLOGY);

        List<List<Memory>> samples = new ArrayList<>();
        workers.forEach(worker -> samples.add(new ArrayList<>()));
        for (int sample = 0; sample < SAMPLES; sample++) {
            TimeUnit.MILLISECONDS.sleep(SECS * 1000 / SAMPLES);
            for (int worker = 0; worker < workers.size(); worker++) {
                samples.get(worker).add(memory(workers.get(worker).pid()));
            }
            Files.writeString(DIRECTORY.resolve("memory.txt"), samples + System.lineSeparator());
        }
        cluster.topologies().deactivate(TOPOLOGY);

        assertEquals(workers, cluster.workers(TOPOLOGY), "no worker ended");
        MeasureDirectory counts = new MeasureDirectory(measured);
        cluster.await("every message is back", DRAINED_WITHIN, () -> {
            Counts all = latest(counts);
            return all.emitted() > 0 && all.acked() + all.failed() == all.emitted();
        });
        assertEquals(0, latest(counts).failed());
        samples.forEach(TailLatencySoak::assertFlat);
    }

    private static Counts latest(MeasureDirectory measured) {
        try {
            measured.poll(interval -> { });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return measured.countsAt(System.currentTimeMillis());
    }

    private static Submission submission(Path measured) throws IOException {
        Submission submission = Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "processing", TOPOLOGY);
        Map<String, Object> options = Map.ofEntries(Map.entry("topology.workers", 2), Map.entry("eyewall.measure.dir", measured),
            Map.entry("eyewall.rate.per.sec", 1000), Map.entry("eyewall.parallelism", 4), Map.entry("eyewall.work.ms", 1),
            Map.entry("eyewall.work.varies", 1), Map.entry("eyewall.work.slow.worker", 1), Map.entry("eyewall.work.slow.factor", 4),
            Map.entry("topology.executor.queue", "shared"), Map.entry("topology.latency.balancing", true),
            Map.entry("topology.adaptive.timeout", true));
        for (Map.Entry<String, Object> option : options.entrySet()) {
            submission = submission.with(option.getKey(), option.getValue());
        }
        return submission;
    }

    /** The most of the last quarter beside the most of the second: the first one warms up. */
    private static void assertFlat(List<Memory> memory) {
        List<Memory> second = memory.subList(SAMPLES / 4, SAMPLES / 2);
        List<Memory> last = memory.subList(SAMPLES - SAMPLES / 4, SAMPLES);
        long liveKb = second.stream().mapToLong(Memory::liveKb).max().orElseThrow();
        long residentKb = second.stream().mapToLong(Memory::residentKb).max().orElseThrow();
        assertTrue(last.stream().allMatch(each -> each.liveKb() <= MAY_GROW_TO * liveKb + MAY_GROW_KB), () -> "live heap: " + memory);
        assertTrue(last.stream().allMatch(each -> each.residentKb() <= MAY_GROW_TO * residentKb + MAY_GROW_KB),
            () -> "resident: " + memory);
    }

    private static Memory memory(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        String status = Files.readString(Path.of("/proc", String.valueOf(pid), "status"));
        return new Memory(sum(HEAP_USED, jcmd(pid, "GC.heap_info")), sum(RESIDENT, status));
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(jcmd.toString(), String.valueOf(pid), command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    private static long sum(Pattern pattern, String text) {
        List<MatchResult> all = pattern.matcher(text).results().toList();
        assertFalse(all.isEmpty(), text);
        return all.stream().mapToLong(each -> Long.parseLong(each.group(1))).sum();
    }
}
