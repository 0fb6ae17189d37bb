package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Live heap and resident memory of workers, sampled while they run and written to {@code memory.txt} as they are. */
final class WorkerMemory {

    private static final int SAMPLES = 40;

    /** What JIT compilation, histograms that grow to their range and the like may add after a quarter of the time. */
    private static final long MAY_GROW_KB = 16 * 1024;
    private static final double MAY_GROW_TO = 1.1;

    /** Of the whole heap, or of each generation, as the collector has it. */
    private static final Pattern HEAP_USED = Pattern.compile("(?:heap|generation) +total \\d+K, used (\\d+)K");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    private final Path file;
    private final Path commands;
    private final Map<WorkerProcess, long[][]> samplesKb = new LinkedHashMap<>();

    /** Writes below the directory. */
    WorkerMemory(Path directory, List<WorkerProcess> workers) {
        file = directory.resolve("memory.txt");
        commands = directory.resolve("jcmd.txt");
        workers.forEach(worker -> samplesKb.put(worker, new long[2][SAMPLES]));
    }

    /** How much memory a process has that is not swapped out. */
    static long residentKb(long pid) throws IOException {
        return numbers(RESIDENT, Files.readString(Path.of("/proc", String.valueOf(pid), "status"))).sum();
    }

    /** Samples at the same distances for so long, each time after a garbage collection. */
    void sampleFor(long secs) throws IOException, InterruptedException {
        Files.writeString(file, "seconds topology port live_kb resident_kb\n");
        Files.writeString(commands, "GC.run\nGC.heap_info\n");
        long startNs = System.nanoTime();
        for (int sample = 0; sample < SAMPLES; sample++) {
            long dueNs = startNs + TimeUnit.SECONDS.toNanos(secs) / SAMPLES * (sample + 1);
            TimeUnit.NANOSECONDS.sleep(dueNs - System.nanoTime());
            for (Map.Entry<WorkerProcess, long[][]> worker : samplesKb.entrySet()) {
                WorkerProcess process = worker.getKey();
                assertTrue(process.isAlive(), () -> process + " has ended");
                long liveKb = numbers(HEAP_USED, jcmd(process.pid())).sum();
                long residentKb = residentKb(process.pid());
                worker.getValue()[0][sample] = liveKb;
                worker.getValue()[1][sample] = residentKb;
                long afterSecs = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
                String line = String.join(" ", String.valueOf(afterSecs), process.topologyId(), String.valueOf(process.port()),
                    String.valueOf(liveKb), String.valueOf(residentKb));
                Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
            }
        }
    }

    /** The most of the last quarter beside the most of the second: the first one warms up. */
    void assertFlat() {
        samplesKb.forEach((worker, kb) -> {
            assertFlat(worker + ": live heap", kb[0]);
            assertFlat(worker + ": resident", kb[1]);
        });
    }

    private void assertFlat(String what, long[] kb) {
        long second = LongStream.of(kb).skip(SAMPLES / 4).limit(SAMPLES / 4).max().orElseThrow();
        long last = LongStream.of(kb).skip(SAMPLES - SAMPLES / 4).max().orElseThrow();
        assertTrue(last <= MAY_GROW_TO * second + MAY_GROW_KB, () -> what + ": " + second + " KiB became " + last + ", see " + file);
    }

    private String jcmd(long pid) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process = new ProcessBuilder(jcmd, String.valueOf(pid), "-f", commands.toString()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    private static LongStream numbers(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), text);
        return matcher.reset().results().mapToLong(found -> Long.parseLong(found.group(1)));
    }
}
