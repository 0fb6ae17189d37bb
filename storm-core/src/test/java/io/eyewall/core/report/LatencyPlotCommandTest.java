package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureFiles.START_MS;
import static io.eyewall.core.report.MeasureFiles.interval;
import static io.eyewall.core.report.MeasureFiles.writeLog;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyPlotCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    @TempDir
    private Path directory;
    private Path file;
    private Path picture;

    @BeforeEach
    void nameFiles() throws IOException {
        picture = directory.resolve("plot.svg");
        file = directory.resolve("run.hlog");
        writeLog(file, interval("e2e", START_MS, 100), interval("complete", START_MS, 50), interval("e2e", START_MS + 1000, 100));
    }

    @Test
    void shouldPlotEveryTagOfEveryFile() throws IOException {
        Path other = Files.createDirectory(directory.resolve("other")).resolve("run.hlog");
        writeLog(other, interval(null, START_MS, 3));

        assertEquals(0, run(file.toString(), other.toString(), "-o", picture.toString()));

        assertTrue(Files.size(picture) > 1000);
        List<String> names = out().lines().skip(1).limit(3).map(line -> line.replaceFirst(" {2,}.*", "")).toList();
        assertEquals(List.of("run e2e", "run complete", "other/run"), names);
        assertTrue(out().lines().anyMatch(line -> line.startsWith("run e2e ") && line.contains(" 200 ")), out());
    }

    @Test
    void shouldPlotOnlyTheTagAskedFor() {
        assertEquals(0, run(file.toString(), "--tag", "complete", "-o", picture.toString()));

        assertTrue(out().contains("run complete"), out());
        assertFalse(out().contains("run e2e"), out());
    }

    @Test
    void shouldPutTagsThatBeginAlikeIntoOneSeriesWhenAskedForTheirBeginning() throws IOException {
        writeLog(file, interval("execute/split/3/a", START_MS, 5), interval("network/w/-1/b:1", START_MS, 7),
            interval("execute/split/4/a", START_MS, 6), interval("execute-other/split/4/a", START_MS, 9));
        Path other = directory.resolve("other.hlog");
        writeLog(other, interval("execute/split/3/a", START_MS, 2));

        assertEquals(0, run(file.toString(), other.toString(), "--tag", "network,execute/split", "-o", picture.toString()));

        assertEquals(List.of("run network: 7", "run execute/split: 11", "other execute/split: 2"), rows(3), this::out);
    }

    @Test
    void shouldWarnWhenALogIsCutOff() throws IOException {
        MeasureFiles.append(file, "Tag=e2e,2.0,1.0");

        assertEquals(0, run(file.toString(), "-o", picture.toString()));

        assertEquals("storm latency-plot: " + file + ":8: the last line is cut off and left out\n", err());
    }

    @Test
    void shouldShowInTheSeriesNameByHowMuchClocksMayDiffer() throws IOException {
        Path log = directory.resolve("network.hlog");
        writeLog(log, interval("network/w/-1/b:1", START_MS, 7));
        List<String> lines = new ArrayList<>(Files.readAllLines(log));
        lines.add(lines.size() - 1, "#[ClockErrorNs: network/w/-1/b:1 45000]");
        Files.write(log, lines);

        assertEquals(0, run(file.toString(), log.toString(), "--tag", "network,e2e", "-o", picture.toString()));

        List<String> names = out().lines().skip(1).limit(2).map(line -> line.replaceFirst(" {2,}.*", "")).toList();
        assertEquals(List.of("run e2e", "network network (clocks +-45.0 us)"), names);
    }

    @Test
    void shouldFailWithOneLineWhenAFileIsForeign() throws IOException {
        Files.writeString(file, "<html>\n");

        assertEquals(1, run(file.toString(), "-o", picture.toString()));

        assertEquals("storm latency-plot: " + file + ":1: not a line of an HdrHistogram interval log: '<html>'\n", err());
    }

    @Test
    void shouldFailWithOneLineWhenThereIsNothingToPlot() throws IOException {
        Files.writeString(file, "");

        assertEquals(1, run(file.toString(), "-o", picture.toString()));

        assertEquals("storm latency-plot: " + file + ": no latency in it\n", err());
    }

    @Test
    void shouldNameTheTagsWhenTheOneAskedForIsNotThere() {
        assertEquals(1, run(file.toString(), "--tag", "network", "-o", picture.toString()));

        assertEquals("storm latency-plot: " + file + ": no latency with the tag network; there are e2e, complete\n", err());
    }

    @Test
    void shouldFailWithOneLineWhenAFileIsMissing() {
        assertEquals(1, run("nowhere.hlog", "-o", picture.toString()));

        assertEquals("storm latency-plot: no such file: nowhere.hlog. Check the path.\n", err());
    }

    @Test
    void shouldFailWithOneLineWhenNothingOfALogIsLeft() throws IOException {
        Files.writeString(file, "Tag=e2e,2.0,1.0");

        assertEquals(1, run(file.toString(), "-o", picture.toString()));

        assertEquals("storm latency-plot: " + file + ": no latency in it, only a line that is cut off\n", err());
    }

    @Test
    void shouldFailWithOneLineWhenAFileIsADirectory() {
        assertEquals(1, run(directory.toString(), "-o", picture.toString()));
        assertEquals(1, run(file.toString(), "-o", file + "/plot.svg"));
        assertEquals(1, run(file.toString(), "-o", "/proc/plot.svg"));

        assertEquals(List.of("storm latency-plot: " + directory + ": is a directory; name the .hlog files in it",
            "storm latency-plot: " + file + " is no directory. Check the path.",
            "storm latency-plot: no such file: /proc/plot.svg. Check the path."), err().lines().toList());
    }

    @Test
    void shouldRefuseMoreSeriesThanColors() {
        String[] args = {file.toString(), file.toString(), file.toString(), file.toString(), "-o", picture.toString()};

        assertEquals(2, run(args));

        assertTrue(err().startsWith("storm latency-plot: 8 series, of which a reader can distinguish 7"), err());
    }

    @Test
    void shouldDrawTheWayToEachComponentWhenALogHasMoreSeriesThanThereAreColors() throws IOException {
        List<Histogram> intervals = new ArrayList<>();
        for (int task = 1; task <= 6; task++) {
            intervals.add(interval("execute/split/" + task + "/a", START_MS, 5));
            intervals.add(interval("end-to-end/split/" + task + "/a", START_MS, 2));
        }
        intervals.add(interval("end-to-end/count/8/split", START_MS, 4));
        intervals.add(interval("complete/a/7/a", START_MS, 3));
        writeLog(file, intervals.toArray(Histogram[]::new));
        MeasureFiles.append(file, "Tag=e2e,2.0,1.0");

        assertEquals(0, run(file.toString(), "-o", picture.toString()));

        assertEquals(List.of("run end-to-end/split: 12", "run end-to-end/count: 4", "run complete/a: 3"), rows(3), this::out);
        int lines = Files.readAllLines(file).size();
        assertEquals(List.of("storm latency-plot: " + file + ":" + lines + ": the last line is cut off and left out",
            "storm latency-plot: 14 series, of which a reader can distinguish 7; the way to each component is drawn; choose others with"
                + " --tag: execute, end-to-end, complete"), err().lines().toList());
    }

    @Test
    void shouldDrawWhatSpoutsSeeWhenThereAreMoreComponentsThanColors() throws IOException {
        List<Histogram> intervals = new ArrayList<>();
        for (int component = 1; component <= 8; component++) {
            intervals.add(interval("end-to-end/bolt-" + component + "/1/a", START_MS, 2));
        }
        intervals.add(interval("complete/a/9/a", START_MS, 3));
        writeLog(file, intervals.toArray(Histogram[]::new));

        assertEquals(0, run(file.toString(), "-o", picture.toString()));

        assertEquals(List.of("run complete/a: 3"), rows(1), this::out);
    }

    @Test
    void shouldExplainItselfWhenTheCommandLineIsWrong() {
        assertEquals(2, run());
        assertEquals(2, run(file.toString()));
        assertEquals(2, run(file.toString(), "-o"));
        assertEquals(2, run(file.toString(), "-o", "plot.pdf"));
        assertEquals(2, run(file.toString(), "--output", "plot.svg"));

        List<String> messages = err().lines().filter(line -> !line.startsWith("usage: ")).toList();
        assertEquals(List.of("storm latency-plot: no FILE.hlog given", "storm latency-plot: -o is missing",
            "storm latency-plot: -o needs a value", "storm latency-plot: plot.pdf: the name of a plot must end in .svg or .png",
            "storm latency-plot: unknown option --output; there are --tag, --title, -o"), messages);
    }

    /** The first rows of the table, with their counts. */
    private List<String> rows(int count) {
        return out().lines().skip(1).limit(count).map(line -> line.replaceFirst("^(.*?) {2,}(\\d+).*", "$1: $2")).toList();
    }

    private int run(String... args) {
        return new LatencyPlotCommand(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)).run(args);
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private String err() {
        return err.toString(UTF_8);
    }
}
