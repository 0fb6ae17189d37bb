package io.eyewall.integration.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.Measurement.Setting;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Quantity;
import io.eyewall.integration.bench.data.Statistic;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementTableTest {

    private static final Setting ONE = new Setting("const-null/ack/1w", "0");
    private static final Setting TWO = new Setting("chain/ack/1w", "20000");
    private static final Circumstances CIRCUMSTANCES = Circumstances.of(2, 5, "2026-11-23", "2 cores");

    private final List<Measurement> lines = new ArrayList<>();

    @Test
    void shouldHaveARowForEachSideWithTheSpreadOfItsRoundsAndOfTheirRatios() {
        round(ONE, "upstream", 1, "2.8.3", 0.00, "100000", "990000");
        round(ONE, "Eyewall", 1, "0.1.0", 0.02, "150000", "495000");
        round(ONE, "upstream", 2, "2.8.3", 0.00, "120000", "990000");
        round(ONE, "Eyewall", 2, "0.1.0", 0.12, "150000", "495000");

        assertEquals(List.of(
            "Median of 2 rounds of 5 s; in brackets the least and the most; ×: the ratio to \"upstream\", round by round.",
            "Machine: 2 cores. Date: 2026-11-23. Version: 2.8.3 (upstream), 0.1.0 (Eyewall).",
            "",
            "| scenario | side | tuples/s | p99, ms | stolen, % |",
            "|---|---|---|---|---|",
            "| const-null/ack/1w | upstream | 110,000 [100,000 - 120,000] | 0.990 | 0 |",
            "|  | Eyewall | 150,000 **×1.38 [1.25 - 1.50]** | 0.495 **×0.50** | 7.00 [2.00 - 12.0] |"), table(false).markdown());
    }

    @Test
    void shouldAlignItsColumnsOnATerminal() {
        round(ONE, "upstream", 1, "2.8.3", 0.00, "100000", "990000");
        round(ONE, "Eyewall", 1, "0.1.0", 0.00, "150000", "495000");

        List<String> text = table(false).text();

        assertEquals("Median of 2 rounds of 5 s; x: the ratio to \"upstream\", round by round.", text.get(0));
        assertEquals(List.of("scenario", "side", "tuples/s", "p99, ms", "stolen, %"), Arrays.asList(text.get(3).split(" {2,}", -1)));
        assertEquals(text.get(3).indexOf("tuples/s"), text.get(5).indexOf("150,000 x1.50"));
        assertTrue(text.stream().allMatch(line -> line.chars().allMatch(character -> character < 128)), "ASCII");
    }

    @Test
    void shouldHaveARowForEachFigureWhenSidesAreInColumns() {
        round(ONE, "upstream", 1, "2.8.3", 0.01, "100000", "990000");
        round(ONE, "Eyewall", 1, "0.1.0", 0.02, "150000", "495000");

        List<String> one = table(true).markdown();
        round(TWO, "upstream", 1, "2.8.3", 0.01, "20000", "7000000");
        List<String> two = table(true).markdown();

        assertEquals(List.of("| const-null/ack/1w | upstream | Eyewall |", "|---|---|---|", "| tuples/s | 100,000 | 150,000 **×1.50** |",
            "| p99, ms | 0.990 | 0.495 **×0.50** |", "| stolen, % | 1.00 | 2.00 |"), one.subList(3, one.size()));
        assertEquals(List.of("| scenario | figure | upstream | Eyewall |", "| const-null/ack/1w | tuples/s | 100,000 | 150,000 **×1.50** |",
            "| chain/ack/1w at 20,000/s | tuples/s | 20,000 | - |"), List.of(two.get(3), two.get(5), two.get(8)));
    }

    @Test
    void shouldHaveAColumnForWhatDiffersFromRowToRow() {
        round(ONE, "Eyewall", 1, "0.1.0", 0.01, "100000", "990000");
        round(TWO, "Eyewall", 1, "0.2.0", 0.01, "20000", "990000");

        List<String> lines = table(false).markdown();

        assertEquals("Machine: 2 cores. Date: 2026-11-23.", lines.get(1));
        assertEquals("| chain/ack/1w at 20,000/s | Eyewall | 0.2.0 | 20,000 | 0.990 | 1.00 |", lines.get(6));
    }

    @Test
    void shouldShowRatiosAloneWithoutAUnitAndWithoutARowForTheirBase() {
        Circumstances unknown = new Circumstances("unknown", "", "unknown", "2026-11-22/2026-11-23", "unknown", "unknown");
        lines.add(new Measurement(ONE, "off", Statistic.MEDIAN, 0, unknown, Map.of()));
        for (String side : List.of("sampled", "all")) {
            lines.add(new Measurement(ONE, side, Statistic.RATIO_MINIMUM, 0, unknown, Map.of("p99_ns", new BigDecimal("0.40"))));
            lines.add(new Measurement(ONE, side, Statistic.RATIO_MAXIMUM, 0, unknown, Map.of("p99_ns", new BigDecimal("0.50"))));
        }

        assertEquals(List.of(
            "Median of an unknown number of rounds; as a - b the least and the most; ×: the ratio to \"off\", round by round.",
            "Machine: unknown. Date: 2026-11-22 to 2026-11-23. Version: unknown. Stolen time: unknown.",
            "",
            "| scenario | side | tuples/s | p99 |",
            "|---|---|---|---|",
            "| const-null/ack/1w | sampled | - | **×0.40 - 0.50** |",
            "|  | all | - | **×0.40 - 0.50** |"), table(false).markdown());
    }

    @Test
    void shouldNameOnlyTheSidesThatAreDifferent() {
        for (String side : List.of("own", "shared", "thesis")) {
            round(ONE, side, 1, side.equals("thesis") ? "2016" : "0.1.0", 0.01, "1", "1");
        }

        assertTrue(table(false).markdown().get(1).endsWith("Version: 0.1.0, except 2016 (thesis)."), table(false).markdown().get(1));
    }

    private void round(Setting setting, String side, int round, String version, double stolen, String rate, String p99Ns) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        figures.put("tuples_per_s", new BigDecimal(rate));
        figures.put("p99_ns", new BigDecimal(p99Ns));
        lines.add(Measurement.ofRound(setting, side, round, CIRCUMSTANCES.ofRun(version, stolen), figures));
    }

    private MeasurementTable table(boolean hasSidesInColumns) {
        List<Quantity> quantities = List.of(new Quantity("tuples_per_s"), new Quantity("p99_ns"));
        return new MeasurementTable(new Measurements(quantities, lines), hasSidesInColumns);
    }
}
