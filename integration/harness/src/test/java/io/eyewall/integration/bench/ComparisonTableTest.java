package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {

    private static final List<Side> SIDES = List.of(Side.of('A', Side.Installation.UPSTREAM), Side.of('B', Side.Installation.EYEWALL));

    private final ComparisonTable table = new ComparisonTable(List.of("on a machine"), SIDES, List.of(
        new Comparison(Scenario.all().get(0), List.of(
            List.of(BenchResults.run(100_000, 1000, 2), BenchResults.run(120_000, 1000, 2)),
            List.of(BenchResults.run(150_000, 500, 1), BenchResults.run(150_000, 500, 1)))),
        new Comparison(Scenario.all().get(1), List.of(List.of(BenchResults.run(1, 1, 1)), List.of(BenchResults.run(1, 1, 1))))));

    @Test
    void shouldHaveALineForEachScenarioAndFigure() {
        List<String> lines = table.text();

        assertEquals(List.of("on a machine", ""), lines.subList(0, 2));
        assertEquals(List.of("scenario", "A: upstream", "B: eyewall", "B/A"), cells(lines.get(2)));
        assertEquals(3 + 2 * Measure.values().length, lines.size());
        assertEquals(List.of("const-null/ack/1w", "tuples/s", "110,000 [100,000 - 120,000]", "150,000", "1.38 [1.25 - 1.50]"),
            cells(lines.get(3)));
        assertEquals(List.of("p99", "990 us", "495 us", "0.50"), cells(lines.get(6)));
        assertEquals(lines.get(2).indexOf("B: eyewall"), lines.get(3).indexOf("150,000"));
    }

    @Test
    void shouldHaveAMarkdownRowForEachScenario() {
        List<String> lines = table.markdown();

        assertEquals("A: upstream, B: eyewall.", lines.get(1));
        List<String> rows = lines.stream().filter(line -> line.startsWith("|")).toList();
        assertEquals(4, rows.size());
        assertEquals(1, rows.stream().mapToLong(row -> row.chars().filter(character -> character == '|').count()).distinct().count());
        String throughput = "A 110,000 [100,000 - 120,000]<br>B 150,000<br>**B/A 1.38 [1.25 - 1.50]**";
        assertTrue(rows.get(2).startsWith("| const-null/ack/1w | " + throughput + " |"), rows.get(2));
    }

    @Test
    void shouldSayWhatTheHostWithheld() {
        ComparisonTable disturbed = new ComparisonTable(List.of("on a machine"), SIDES, List.of(
            new Comparison(Scenario.all().get(0), List.of(
                List.of(BenchResults.run(100, 1000, 2, 0.001), BenchResults.run(100, 1000, 2, 0.005)),
                List.of(BenchResults.run(100, 1000, 2, 0.02), BenchResults.run(100, 1000, 2, 0.12))))));

        String expected = "Steal time, what the host ran on these cores meanwhile: A 0 % [0 % - 1 %], B 7 % [2 % - 12 %] of their time.";
        assertEquals(List.of("on a machine", expected, ""), disturbed.text().subList(0, 3));
        assertEquals(List.of("on a machine", expected), disturbed.markdown().subList(0, 2));
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.strip().split(" {2,}", -1)).toList();
    }
}
