package io.eyewall.integration.bench.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.bench.data.Measurement.Setting;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementsTest {

    private static final Setting SETTING = new Setting("s", "0");
    private static final Quantity RATE = new Quantity("tuples_per_s");
    private static final Quantity RESTARTED = new Quantity("workers_restarted");

    @Test
    void shouldCompareRoundByRound() {
        Measurements measurements = of(round("a", 1, "100"), round("a", 2, "300"), round("b", 1, "50"), round("b", 2, "600"));

        assertEquals(spread("200", "100", "300"), measurements.figure(SETTING, "a", RATE));
        assertEquals(spread("1.25", "0.50", "2.00"), measurements.ratio(SETTING, "b", RATE));
        assertTrue(measurements.ratio(SETTING, "a", RATE).isEmpty(), "the first side is what the others are compared with");
        assertTrue(measurements.ratio(SETTING, "b", RESTARTED).isEmpty(), "a number of workers is not compared");
    }

    @Test
    void shouldHaveNoRatioToNothing() {
        assertTrue(of(round("a", 1, "0"), round("b", 1, "50")).ratio(SETTING, "b", RATE).isEmpty());
        assertTrue(of(round("a", 1, "10"), round("b", 2, "50")).ratio(SETTING, "b", RATE).isEmpty(), "other rounds");
    }

    @Test
    void shouldTakeWhatTheFileSaysWhereTheRoundsAreUnknown() {
        Measurements measurements = of(line("a", Statistic.MEDIAN, "100"), line("b", Statistic.MEDIAN, "50"),
            line("b", Statistic.MAXIMUM, "70"), line("b", Statistic.RATIO_MEDIAN, "0.45"), line("b", Statistic.RATIO_MINIMUM, "0.40"));

        assertEquals(spread("50", null, "70"), measurements.figure(SETTING, "b", RATE));
        assertEquals(spread("0.45", "0.40", null), measurements.ratio(SETTING, "b", RATE));
    }

    @Test
    void shouldSpreadTheStolenTime() {
        assertEquals(spread("1.50", "1.00", "2.00"), of(round("a", 1, "1"), round("a", 2, "2")).stolen(SETTING, "a"));
        assertTrue(of(line("a", Statistic.MEDIAN, "1")).stolen(SETTING, "a").isEmpty());
    }

    @Test
    void shouldPutFilesTogetherInTheirOrder() {
        Measurements both = Measurements.together(List.of(of(round("a", 1, "1")),
            new Measurements(List.of(RESTARTED), List.of(Measurement.ofRound(new Setting("t", ""), "c", 1, circumstances(1), Map.of())))));

        assertEquals(List.of(RATE, RESTARTED), both.quantities());
        assertEquals(List.of("s", "t"), both.settings().stream().map(Setting::title).toList());
        assertEquals(List.of("c"), both.sides(new Setting("t", "")));
    }

    private static Measurements of(Measurement... lines) {
        return new Measurements(List.of(RATE), List.of(lines));
    }

    private static Measurement round(String side, int round, String rate) {
        return Measurement.ofRound(SETTING, side, round, circumstances(round),
            Map.of(RATE.column(), new BigDecimal(rate), RESTARTED.column(), BigDecimal.ONE));
    }

    private static Measurement line(String side, Statistic statistic, String rate) {
        return new Measurement(SETTING, side, statistic, 0, new Circumstances("2", "5", "unknown", "2026-11-23", "m", "1"),
            Map.of(RATE.column(), new BigDecimal(rate)));
    }

    private static Circumstances circumstances(int round) {
        return Circumstances.of(2, 5, "2026-11-23", "m").ofRun("1", round / 100.0);
    }

    private static Spread spread(String median, String minimum, String maximum) {
        return new Spread(decimal(median), decimal(minimum), decimal(maximum));
    }

    private static BigDecimal decimal(String figure) {
        return figure == null ? null : new BigDecimal(figure);
    }
}
