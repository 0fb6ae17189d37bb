package io.eyewall.integration.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.report.BadFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportPageTest {

    private static final String SOURCE = "../benchmarks/chain/full.csv";

    @TempDir
    private Path root;
    private Path page;

    @BeforeEach
    void writeMeasurements() throws IOException {
        Files.createDirectories(root.resolve("benchmarks/chain"));
        Files.createDirectories(root.resolve("docs"));
        page = root.resolve("docs/benchmarks.md");
        Files.writeString(root.resolve("benchmarks/chain/full.csv"), """
            scenario,rate_per_s,side,round,rounds,seconds,tuples_per_s,p99_ns,stolen_percent,date,machine,version
            a,0,upstream,1,1,5,1000,8000000,0.10,2026-11-23,here,2.8.3
            a,0,<Eyewall>,1,1,5,2000,4000000,0.20,2026-11-23,here,0.1.0
            b,0,upstream,1,1,5,10,8000000,0.10,2026-11-23,here,2.8.3
            """);
    }

    @Test
    void shouldFillTheTablesAndLeaveTheRest() throws IOException {
        write("# Title", "<!-- table " + SOURCE + " columns=p99_ns scenarios=a sides=columns -->", "what was here before", "<!-- end -->",
            "the end");

        assertEquals(List.of(page), new ReportPage(page).update());

        assertEquals(List.of("# Title", "<!-- table " + SOURCE + " columns=p99_ns scenarios=a sides=columns -->", "",
            "One round of 5 s; ×: the ratio to \"upstream\", round by round.",
            "Machine: here. Date: 2026-11-23. Version: 2.8.3 (upstream), 0.1.0 (<Eyewall>).", "",
            "| a | upstream | <Eyewall> |", "|---|---|---|", "| p99, ms | 8.00 | 4.00 **×0.50** |", "| stolen, % | 0.10 | 0.20 |", "",
            "<!-- end -->", "the end"), Files.readAllLines(page));
        assertEquals(List.of(), new ReportPage(page).update(), "nothing is left to change");
    }

    @Test
    void shouldDrawThePlots() throws IOException {
        write("<!-- plot " + SOURCE + " column=tuples_per_s to=plots/full.svg title=\"All & more\" -->", "<!-- end -->");

        List<Path> changed = new ReportPage(page).update();

        assertEquals(List.of(root.resolve("docs/plots/full.svg"), page), changed);
        assertTrue(Files.readAllLines(page).contains("![All & more](plots/full.svg)"));
        List<String> svg = Files.readAllLines(root.resolve("docs/plots/full.svg"));
        assertTrue(svg.get(2).contains(">All &amp; more, tuples/s<"), svg.get(2));
        assertTrue(svg.stream().anyMatch(line -> line.contains("&lt;Eyewall&gt;")), "names are escaped");
        assertEquals(3, svg.stream().filter(line -> line.startsWith("<rect x=")).count(), "a bar for each side and scenario");
        assertEquals(2 * width(svg, 0), width(svg, 1), 0.1, "bars are as long as their figures");
    }

    @Test
    void shouldDrawCurves() throws IOException {
        Files.writeString(root.resolve("benchmarks/curve.csv"), "second,juice,queued_tuples\n5,1.000,0\n10,0.500,40\n");
        write("<!-- curves ../benchmarks/curve.csv to=plots/curve.svg title=\"Juice & a queue\" -->", "<!-- end -->");

        List<Path> changed = new ReportPage(page).update();

        assertEquals(List.of(root.resolve("docs/plots/curve.svg"), page), changed);
        assertTrue(Files.readAllLines(page).contains("![Juice & a queue](plots/curve.svg)"));
        List<String> svg = Files.readAllLines(root.resolve("docs/plots/curve.svg"));
        assertTrue(svg.get(2).contains(">Juice &amp; a queue<"), svg.get(2));
        List<String> lines = svg.stream().filter(line -> line.contains("stroke-width")).toList();
        assertEquals(2, lines.size(), "a line for each column");
        // The first panel is from 62 to 154, the second one from 212 to 304; half of the time is half of the width.
        assertTrue(lines.get(0).contains("\"M470.0 62.0L870.0 108.0\""), lines.get(0));
        assertTrue(lines.get(1).contains("\"M470.0 304.0L870.0 212.0\""), lines.get(1));
    }

    @Test
    void shouldDrawCurvesInPerCentToTheSameScale() throws IOException {
        Files.writeString(root.resolve("benchmarks/curve.csv"), "second,one_percent,other_percent\n5,50.000,100.000\n10,25.000,0\n");
        write("<!-- curves ../benchmarks/curve.csv to=plots/curve.svg title=curve -->", "<!-- end -->");

        new ReportPage(page).update();

        List<String> lines = Files.readAllLines(root.resolve("docs/plots/curve.svg")).stream()
            .filter(line -> line.contains("stroke-width")).toList();
        assertTrue(lines.get(0).contains("\"M470.0 108.0L870.0 131.0\""), lines.get(0));
        assertTrue(lines.get(1).contains("\"M470.0 212.0L870.0 304.0\""), lines.get(1));
    }

    @Test
    void shouldDrawADistribution() throws IOException {
        Files.writeString(root.resolve("benchmarks/curve.csv"), "utility_percent,one_percent\n0,50.000\n100,100.000\n");
        write("<!-- curves ../benchmarks/curve.csv to=plots/curve.svg title=curve -->", "<!-- end -->");

        new ReportPage(page).update();

        List<String> svg = Files.readAllLines(root.resolve("docs/plots/curve.svg"));
        assertTrue(svg.stream().anyMatch(line -> line.contains(">100 %<")), svg::toString);
        assertTrue(svg.stream().anyMatch(line -> line.contains("\"M70.0 108.0L870.0 62.0\"")), svg::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "second,juice | no curve: write the header second,COLUMN,...",
        "time,juice;1,1;2,1 | no curve: write the header second,COLUMN,...",
        "second,juice;1,1;2,one | '2,one' are not numbers",
        "second,juice;1,1;2,1,1 | write 2 numbers that are not negative",
        "second,juice;1,1;2,-1 | write 2 numbers that are not negative",
        "second,juice;2,1;2,1 | the first column must rise",
        "percent,juice;1,1;2,1 | no curve: write the header second,COLUMN,... or WORDS_percent,COLUMN,..."})
    void shouldRefuseACurveThatIsNone(String curve, String message) throws IOException {
        Files.writeString(root.resolve("benchmarks/curve.csv"), curve.replace(';', '\n') + "\n");
        write("<!-- curves ../benchmarks/curve.csv to=plots/curve.svg title=curve -->", "<!-- end -->");

        String said = assertThrows(BadFileException.class, () -> new ReportPage(page).render()).getMessage();

        assertTrue(said.contains(message), said);
    }

    @Test
    void shouldLeaveMarkersInFencesAlone() throws IOException {
        write("```", "<!-- table missing.csv -->", "```");

        assertEquals(List.of(), new ReportPage(page).update());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "<!-- table --> | not a marker of the form <!-- table FILE OPTION=VALUE --> or",
        "<!-- table SOURCE colours=red --> | a table has no option colours; there are columns, scenarios, sides",
        "<!-- table SOURCE sides=top --> | sides=top: write rows or columns",
        "<!-- table SOURCE columns=p50_ns --> | columns=p50_ns: ROOT/benchmarks/chain/full.csv has tuples_per_s, p99_ns",
        "<!-- table SOURCE scenarios=c --> | scenarios=c: ROOT/benchmarks/chain/full.csv has a, b",
        "<!-- plot SOURCE column=p99_ns title=x --> | a plot needs to=...",
        "<!-- plot SOURCE to=x.svg title=x --> | a plot needs column=..."})
    void shouldNamePageLineAndRemedyOfABadMarker(String marker, String what) throws IOException {
        write("one", marker.replace("SOURCE", SOURCE), "<!-- end -->");

        String message = assertThrows(BadFileException.class, () -> new ReportPage(page).update()).getMessage();

        assertTrue(message.startsWith(page + ":2: " + what.replace("ROOT", root.toString())), message);
    }

    @Test
    void shouldRefuseAMarkerWithoutAnEnd() throws IOException {
        write("<!-- table " + SOURCE + " -->", "<!-- table " + SOURCE + " -->", "<!-- end -->");

        String message = assertThrows(BadFileException.class, () -> new ReportPage(page).update()).getMessage();

        assertEquals(page + ":1: the marker has no end: add a line <!-- end --> behind it", message);
        assertFalse(Files.readAllLines(page).stream().anyMatch(String::isEmpty), "nothing is written");
    }

    @Test
    void shouldNameAPageThatIsMissing() {
        String message = assertThrows(BadFileException.class, () -> new ReportPage(page).update()).getMessage();

        assertEquals(page + ": no such page", message);
    }

    private void write(String... lines) throws IOException {
        Files.write(page, List.of(lines));
    }

    private static double width(List<String> svg, int bar) {
        String line = svg.stream().filter(one -> one.startsWith("<rect x=")).skip(bar).findFirst().orElseThrow();
        return Double.parseDouble(line.replaceFirst(".*width=\"", "").replaceFirst("\".*", ""));
    }
}
