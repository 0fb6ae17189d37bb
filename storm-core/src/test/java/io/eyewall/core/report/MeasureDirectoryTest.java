package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureFiles.START_MS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasureDirectoryTest {

    private final List<Histogram> intervals = new ArrayList<>();
    @TempDir
    private Path parent;

    @Test
    void shouldBeEmptyUntilItExists() throws IOException {
        Path path = parent.resolve("measured");
        MeasureDirectory directory = new MeasureDirectory(path);
        directory.poll(intervals::add);
        assertEquals(0, directory.reportedUntilMs());
        assertEquals(Counts.NONE, directory.countsAt(START_MS));

        MeasureFiles.writeRun(path, START_MS, 3);
        directory.poll(intervals::add);
        assertEquals(6, intervals.size());
        assertEquals(new Counts(300, 297, 3, 600), directory.countsAt(START_MS + 3000));
        assertEquals(new Counts(0, 0, 0, 600), directory.countsAt(START_MS + 3000, task -> task.startsWith("sink-")));
    }

    @Test
    void shouldHaveReportedAsFarAsTheSlowestTask() throws IOException {
        MeasureFiles.writeRun(parent, START_MS, 3);
        MeasureFiles.append(parent.resolve("sink-2.csv"), (START_MS + 4000) + ",0,0,0,900\n");
        MeasureDirectory directory = new MeasureDirectory(parent);

        directory.poll(intervals::add);

        assertEquals(START_MS + 3000, directory.reportedUntilMs());
    }
}
