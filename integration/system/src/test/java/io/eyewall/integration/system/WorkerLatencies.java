package io.eyewall.integration.system;

import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** What one worker has written to its interval logs, as HdrHistogram's own reader understands it. */
final class WorkerLatencies {

    private final Path directory;

    private WorkerLatencies(Path directory) {
        this.directory = directory;
    }

    /** Of a worker that runs or did. */
    static WorkerLatencies of(ProcessCluster cluster, WorkerProcess worker) {
        Path below = Path.of("workers-artifacts", worker.topologyId(), Integer.toString(worker.port()));
        try (Stream<Path> daemons = Files.list(cluster.logs())) {
            return new WorkerLatencies(daemons.map(daemon -> daemon.resolve(below)).filter(Files::isDirectory).findFirst().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + cluster.logs(), e);
        }
    }

    /** A file beside the logs. */
    Path file(String name) {
        return directory.resolve(name);
    }

    Path current() {
        return file("latency.hlog");
    }

    /** The log of the worker that ran here before. */
    Path previous() {
        return file("latency.1.hlog");
    }

    /** Everything in a log, by its tag. */
    static Map<String, Histogram> byTag(Path log) {
        return byTag(log, 0);
    }

    /** The intervals of a log that began at {@code fromMs} or later, in milliseconds since the epoch, by their tag. */
    static Map<String, Histogram> byTag(Path log, long fromMs) {
        Map<String, Histogram> byTag = new TreeMap<>();
        read(log, interval -> {
            if (interval.getStartTimeStamp() >= fromMs) {
                byTag.computeIfAbsent(interval.getTag(), tag -> new Histogram(3)).add(interval);
            }
        });
        return byTag;
    }

    /** When the last interval of a log was over, in milliseconds since the epoch; 0 if there is none. */
    static long endMs(Path log) {
        long[] lastMs = {0};
        read(log, interval -> lastMs[0] = Math.max(lastMs[0], interval.getEndTimeStamp()));
        return lastMs[0];
    }

    /** The whole lines of a log: of what is being written at the moment there may be a part of a line. */
    static byte[] wholeLines(Path log) {
        try {
            byte[] bytes = Files.readAllBytes(log);
            int length = bytes.length;
            while (length > 0 && bytes[length - 1] != '\n') {
                length--;
            }
            return Arrays.copyOf(bytes, length);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + log, e);
        }
    }

    private static void read(Path log, Consumer<Histogram> intervals) {
        try (HistogramLogReader reader = new HistogramLogReader(new ByteArrayInputStream(wholeLines(log)))) {
            for (EncodableHistogram next = reader.nextIntervalHistogram(); next != null; next = reader.nextIntervalHistogram()) {
                intervals.accept((Histogram) next);
            }
        }
    }

    /** The lines of a log of the worker that contain the text. */
    List<String> lines(String name, String text) {
        try (Stream<String> lines = Files.lines(file(name))) {
            return lines.filter(line -> line.contains(text)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file(name), e);
        }
    }
}
