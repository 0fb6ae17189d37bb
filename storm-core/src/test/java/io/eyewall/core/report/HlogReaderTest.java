package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureFiles.START_MS;
import static io.eyewall.core.report.MeasureFiles.interval;
import static io.eyewall.core.report.MeasureFiles.writeLog;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HlogReaderTest {

    @TempDir
    private Path directory;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("sink-1.hlog");
    }

    @Test
    void shouldReadBackWhatHdrHistogramWrites() throws IOException {
        writeLog(file, interval("e2e", START_MS + 1000, 100), interval(null, START_MS + 2000, 10));

        List<Histogram> intervals = poll(new HlogReader(file));

        assertEquals(2, intervals.size());
        Histogram first = intervals.get(0);
        assertEquals("e2e", first.getTag());
        assertEquals(START_MS + 1000, first.getStartTimeStamp());
        assertEquals(START_MS + 2000, first.getEndTimeStamp());
        assertEquals(interval("e2e", 0, 100), first);
        assertNull(intervals.get(1).getTag());
    }

    @Test
    void shouldReadAbsoluteTimestampsWhenThereIsNoBaseTime() throws IOException {
        try (PrintStream out = new PrintStream(Files.newOutputStream(file))) {
            HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputStartTime(START_MS);
            writer.outputIntervalHistogram(interval("e2e", START_MS + 3000, 1));
        }

        assertEquals(START_MS + 3000, poll(new HlogReader(file)).get(0).getStartTimeStamp());
    }

    @Test
    void shouldFollowANewHeaderWithinTheFile() throws IOException {
        for (long baseMs : new long[] {START_MS, START_MS + 60_000}) {
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            HistogramLogWriter writer = new HistogramLogWriter(log);
            writer.outputBaseTime(baseMs);
            writer.outputStartTime(baseMs);
            writer.setBaseTime(baseMs);
            writer.outputIntervalHistogram(interval("e2e", baseMs + 500, 1));
            MeasureFiles.append(file, log.toString(UTF_8));
        }

        List<Long> starts = poll(new HlogReader(file)).stream().map(Histogram::getStartTimeStamp).toList();
        assertEquals(List.of(START_MS + 500, START_MS + 60_500), starts);
    }

    @Test
    void shouldReadTimestampsRelativeToStartTimeWhenTheyAreFarBeforeIt() throws IOException {
        try (PrintStream out = new PrintStream(Files.newOutputStream(file))) {
            HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputStartTime(START_MS);
            writer.outputIntervalHistogram(3.0, 4.0, interval(null, 0, 1));
        }

        assertEquals(START_MS + 3000, poll(new HlogReader(file)).get(0).getStartTimeStamp());
    }

    @Test
    void shouldWaitForTheEndOfTheLastLineWhenTheFileGrows() throws IOException {
        writeLog(file, interval("e2e", START_MS, 5), interval("e2e", START_MS + 1000, 7));
        String whole = Files.readString(file);
        Files.writeString(file, whole.substring(0, whole.length() - 20));
        HlogReader reader = new HlogReader(file);

        assertEquals(1, poll(reader).size());
        assertEquals(file + ":6: the last line is cut off and left out", reader.cutOff().orElseThrow());

        MeasureFiles.append(file, whole.substring(whole.length() - 20));
        List<Histogram> rest = poll(reader);
        assertEquals(1, rest.size());
        assertEquals(7, rest.get(0).getTotalCount());
        assertTrue(reader.cutOff().isEmpty());
        assertTrue(poll(reader).isEmpty());
    }

    @Test
    void shouldReadFromTheStartWhenTheFileIsBegunAnew() throws IOException {
        writeLog(file, interval("e2e", START_MS, 5), interval("e2e", START_MS + 1000, 5), interval("e2e", START_MS + 2000, 5));
        HlogReader reader = new HlogReader(file);
        poll(reader);

        writeLog(file, interval("e2e", START_MS + 9000, 3));

        List<Histogram> intervals = poll(reader);
        assertEquals(1, intervals.size());
        assertEquals(3, intervals.get(0).getTotalCount());
    }

    @Test
    void shouldReadMoreThanOneChunk() throws IOException {
        Histogram[] intervals = new Histogram[1000];
        for (int i = 0; i < intervals.length; i++) {
            intervals[i] = interval("e2e", START_MS + i * 1000L, 500);
        }
        writeLog(file, intervals);

        assertTrue(Files.size(file) > 1 << 17);
        assertEquals(1000, poll(new HlogReader(file)).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"To be, or not to be: that is the question", "Tag=e2e", "1,2,3", "a,b,c,HISTFAAA", "Tag=e2e,1.0,1.0"})
    void shouldNameFileAndLineWhenALineIsForeign(String line) throws IOException {
        writeLog(file, interval("e2e", START_MS, 5));
        MeasureFiles.append(file, line + "\n");

        String message = assertThrows(BadFileException.class, () -> poll(new HlogReader(file))).getMessage();

        assertEquals(file + ":6: not a line of an HdrHistogram interval log: '" + line + "'", message);
    }

    @Test
    void shouldNameFileAndLineWhenAHistogramIsDamaged() throws IOException {
        writeLog(file, interval("e2e", START_MS, 50));
        String log = Files.readString(file);
        Files.writeString(file, log.substring(0, log.length() - 30) + "\n");

        String message = assertThrows(BadFileException.class, () -> poll(new HlogReader(file))).getMessage();

        assertTrue(message.startsWith(file + ":5: the histogram is damaged"), message);
    }

    @Test
    void shouldRefuseHistogramsOfAnotherKind() throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        DoubleHistogram ofDoubles = new DoubleHistogram(3);
        ofDoubles.recordValue(0.5);
        new HistogramLogWriter(log).outputIntervalHistogram(1.0, 2.0, ofDoubles);
        Files.write(file, log.toByteArray());

        String message = assertThrows(BadFileException.class, () -> poll(new HlogReader(file))).getMessage();

        assertTrue(message.startsWith(file + ":1: the histogram is damaged or of another kind"), message);
    }

    @Test
    void shouldAnswerWithOneLineWhateverTheBytesAre() throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            writeLog(file, interval("e2e", START_MS, 50), interval("e2e", START_MS + 1000, 50));
            byte[] bytes = Files.readAllBytes(file);
            for (int damage = 0; damage < 3; damage++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Files.write(file, bytes);
            try {
                poll(new HlogReader(file));
            } catch (BadFileException e) {
                assertTrue(e.getMessage().startsWith(file + ":"), e.getMessage());
                assertEquals(1, e.getMessage().lines().count(), e.getMessage());
            }
        }
    }

    @Test
    void shouldRefuseAFileWithoutLines() throws IOException {
        Files.write(file, new byte[(1 << 24) + (1 << 17)]);

        String message = assertThrows(BadFileException.class, () -> poll(new HlogReader(file))).getMessage();

        assertTrue(message.endsWith("not a text file"), message);
    }

    private static List<Histogram> poll(HlogReader reader) throws IOException {
        List<Histogram> intervals = new ArrayList<>();
        reader.poll(intervals::add);
        return intervals;
    }
}
