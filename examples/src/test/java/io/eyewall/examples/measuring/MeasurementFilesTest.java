package io.eyewall.examples.measuring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasurementFilesTest {

    @TempDir
    Path directory;

    @Test
    void shouldContinueTheFilesOfAWorkerThatWasKilledInTheMiddleOfALine() throws IOException {
        write();
        List<String> counters = Files.readAllLines(directory.resolve("output-2.csv"));
        List<String> histograms = Files.readAllLines(directory.resolve("output-2.hlog"));
        Files.writeString(directory.resolve("output-2.csv"), "17000000", StandardOpenOption.APPEND);
        Files.writeString(directory.resolve("output-2.hlog"), "Tag=e2e,0.026,0.212,", StandardOpenOption.APPEND);
        write();
        List<String> counted = Files.readAllLines(directory.resolve("output-2.csv"));
        assertEquals(counters, counted.subList(0, counters.size()));
        assertEquals(counters.size() + 1, counted.size());
        List<String> all = Files.readAllLines(directory.resolve("output-2.hlog"));
        assertEquals(histograms, all.subList(0, histograms.size()));
        assertEquals(2 * histograms.size(), all.size());
        assertTrue(all.stream().filter(line -> line.startsWith("Tag=")).allMatch(line -> line.split(",").length == 5), all.toString());
    }

    private void write() throws IOException {
        Histogram interval = new Histogram(3);
        interval.setTag("e2e");
        interval.recordValue(212);
        try (MeasurementFiles files = new MeasurementFiles(directory, "output-2", "e2e", 1_700_000_000_000L)) {
            files.append(1_700_000_000_000L, 1, 1, 0, 1);
            files.append(interval);
        }
    }
}
