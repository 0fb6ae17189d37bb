package io.eyewall.integration.bench.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.report.BadFileException;
import io.eyewall.integration.bench.data.Measurement.Setting;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementFileTest {

    private static final String HEADER = "scenario,rate_per_s,side,round,rounds,seconds,tuples_per_s,stolen_percent,date,machine,version";
    private static final Setting SETTING = new Setting("chain/ack/1w", "20000");

    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatItHasWritten() throws IOException {
        Circumstances circumstances = Circumstances.of(2, 5, "2026-11-23", "2 cores (\"Xeon\", really), 24 GiB");
        Measurements written = new Measurements(List.of(new Quantity("tuples_per_s"), new Quantity("p99_ns")), List.of(
            Measurement.ofRound(SETTING, "upstream", 1, circumstances.ofRun("2.8.3", 0.0123), figures("1000.5", "808000")),
            Measurement.ofRound(SETTING, "upstream", 2, circumstances.ofRun("2.8.3", 0), Map.of("p99_ns", new BigDecimal("1e6"))),
            new Measurement(SETTING, "Eyewall", Statistic.RATIO_MINIMUM, 0,
                new Circumstances("unknown", "", "", "2026-11-22/2026-11-23", "unknown", "unknown"), figures("0.45", "1.10"))));
        Path file = directory.resolve("runs.csv");

        new MeasurementFile(file).write(written);

        assertEquals(written, new MeasurementFile(file).read());
        assertEquals("chain/ack/1w,20000,upstream,1,2,5,1000.5,808000,1.23,2026-11-23,\"2 cores (\"\"Xeon\"\", really), 24 GiB\",2.8.3",
            Files.readAllLines(file).get(1));
    }

    @Test
    void shouldReadAllRunsBelowADirectory() throws IOException {
        for (String scenario : List.of("b/2w", "a/1w")) {
            Path below = Files.createDirectories(directory.resolve(scenario));
            Files.writeString(below.resolve("runs.csv"), HEADER + "\n" + scenario + ",0,one,1,1,5,7,0.10,2026-11-23,here,1\n");
            Files.writeString(below.resolve("seconds.csv"), "not a file of measurements\n");
        }

        assertEquals(List.of("a/1w", "b/2w"), MeasurementFile.readAll(directory).settings().stream().map(Setting::title).toList());
    }

    @Test
    void shouldSayWhatBelongsInADirectoryWithoutRuns() {
        String message = assertThrows(BadFileException.class, () -> MeasurementFile.readAll(directory)).getMessage();

        assertEquals(directory + ": no runs.csv in it or below it: copy the directory that `storm bench` has written to here", message);
    }

    @Test
    void shouldNameAFileThatIsMissing() {
        Path missing = directory.resolve("missing.csv");

        String message = assertThrows(BadFileException.class, () -> MeasurementFile.readAll(missing)).getMessage();

        assertEquals(missing + ": no such file of measurements", message);
    }

    @Test
    void shouldNameTheFormerFormatAndTheRemedy() throws IOException {
        Path file = Files.writeString(directory.resolve("runs.csv"), "scenario,side,label,round,seconds,tuples,failed,tuples_per_s,p50_ns,"
            + "p90_ns,p99_ns,p99.9_ns,max_ns,cpu_s,cpu_s_per_million,stolen\n");

        String message = assertThrows(BadFileException.class, () -> new MeasurementFile(file).read()).getMessage();

        assertEquals(file + ":1: the former format of runs.csv, which has the columns side, label and stolen, and neither machine nor date"
            + " nor version: measure again with `storm bench`", message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "scenario,side | the columns are 'scenario,side': the first ones have to be scenario,rate_per_s,side,round,rounds,seconds and",
        "scenario,rate_per_s,side,round,rounds,seconds,P 50,stolen_percent,date,machine,version | a column is called 'P 50': write words",
        "scenario,rate_per_s,side,round,rounds,seconds,a,a,stolen_percent,date,machine,version | a column is called 'a': write words"})
    void shouldRefuseOtherColumns(String header, String what) throws IOException {
        Path file = Files.writeString(directory.resolve("runs.csv"), header + "\n");

        String message = assertThrows(BadFileException.class, () -> new MeasurementFile(file).read()).getMessage();

        assertTrue(message.startsWith(file + ":1: " + what), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "a,0,b,1,2,5,12x,0,2026-11-23,m,1 | tuples_per_s is '12x': write a number without its unit, or nothing where it was not measured",
        "a,0,b,first,2,5,12,0,2026-11-23,m,1 | round is 'first': write the number of a round, or of all rounds median, minimum, maximum,",
        "a,0,b,0,2,5,12,0,2026-11-23,m,1 | round is '0': write the number of a round",
        "a,fast,b,1,2,5,12,0,2026-11-23,m,1 | rate_per_s is 'fast': write a number, 0 for full speed, or nothing",
        "a,0,b,1,some,5,12,0,2026-11-23,m,1 | rounds is 'some': write a whole number, or unknown",
        "a,0,b,1,2,5 s,12,0,2026-11-23,m,1 | seconds is '5 s': write a number, nothing, or unknown",
        "a,0,b,1,2,5,12,0 %,2026-11-23,m,1 | stolen_percent is '0 %': write a number, nothing, or unknown",
        "a,0,b,1,2,5,12,0,yesterday,m,1 | date is 'yesterday': write a date as 2026-11-23 or 2026-11-22/2026-11-23, or unknown",
        "a,0,b,1,2,5,12,0,2026-11-23,,1 | machine is '': write what it was measured on, or unknown",
        "a,0,b,1,2,5,12,0,2026-11-23,m, | version is '': write what version was measured, or unknown",
        "a,0,,1,2,5,12,0,2026-11-23,m,1 | side is '': write a name",
        "a,0,b,1,2,5,12,0,2026-11-23,two, cores,1 | 12 cells under 11 columns: quote a text that has commas, and leave a cell empty where",
        "a,0,\"b,1,2,5,12,0,2026-11-23,m,1 | a quoted cell does not end: close it",
        "x,0,y,1,2,5,12,0,2026-11-23,m,1 | the same scenario, rate_per_s, side and round as in line 2: leave one of them out",
        "x,0,y,median,2,5,12,0,2026-11-23,m,1 | the side y has rounds, and here a summary of rounds, or the other way round: leave one"})
    void shouldNameFileLineAndRemedyOfABadLine(String line, String what) throws IOException {
        Path file = Files.writeString(directory.resolve("runs.csv"),
            HEADER + "\nx,0,y,1,2,5,12,0,2026-11-23,m,1\n" + line + "\n");

        String message = assertThrows(BadFileException.class, () -> new MeasurementFile(file).read()).getMessage();

        assertTrue(message.startsWith(file + ":3: " + what), message);
    }

    private static Map<String, BigDecimal> figures(String tuplesPerSec, String p99Ns) {
        return Map.of("tuples_per_s", new BigDecimal(tuplesPerSec), "p99_ns", new BigDecimal(p99Ns));
    }
}
