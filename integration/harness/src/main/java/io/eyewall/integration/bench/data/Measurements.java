package io.eyewall.integration.bench.data;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The lines of a file, or of several, in their order.
 *
 * @param quantities the columns of figures
 * @param lines the lines, each with figures of one side of one setting
 */
public record Measurements(List<Quantity> quantities, List<Measurement> lines) {

    private static final int RATIO_DECIMALS = 2;

    /** Copies both lists. */
    public Measurements {
        quantities = List.copyOf(quantities);
        lines = List.copyOf(lines);
    }

    /** The measurements of several files together, with the columns of all. */
    public static Measurements together(List<Measurements> several) {
        return new Measurements(several.stream().flatMap(each -> each.quantities.stream()).distinct().toList(),
            several.stream().flatMap(each -> each.lines.stream()).toList());
    }

    /** The same measurements with only these columns of figures, in this order. */
    public Measurements withQuantities(List<Quantity> chosen) {
        return new Measurements(chosen, lines);
    }

    /** The same measurements with only the lines of these scenarios. */
    public Measurements withScenarios(Set<String> names) {
        return new Measurements(quantities, lines.stream().filter(line -> names.contains(line.setting().scenario())).toList());
    }

    /** The settings, in the order of their first lines. */
    public List<Measurement.Setting> settings() {
        return List.copyOf(lines.stream().map(Measurement::setting).collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    /** The sides of a setting, in the order of their first lines. The others are compared with the first side. */
    public List<String> sides(Measurement.Setting setting) {
        return lines.stream().filter(line -> line.setting().equals(setting)).map(Measurement::side).distinct().toList();
    }

    /** A circumstance of a side, such as its date. If its lines differ, their values are joined with commas. */
    public String circumstance(Measurement.Setting setting, String side, Function<Circumstances, String> which) {
        return of(setting, side).map(line -> which.apply(line.circumstances())).filter(text -> !text.isEmpty()).distinct()
            .collect(Collectors.joining(", "));
    }

    /** The part of the cores' time, in per cent, that the hypervisor gave to others while the side was measured. */
    public Spread stolen(Measurement.Setting setting, String side) {
        return spread(setting, side, line -> line.circumstances().stolen(), false);
    }

    /** A figure of a side, over its rounds. */
    public Spread figure(Measurement.Setting setting, String side, Quantity quantity) {
        return spread(setting, side, line -> line.figures().get(quantity.column()), false);
    }

    /**
     * The ratio of a side's figure to that of the setting's first side. Where the file has rounds it is that of each round, so that the
     * drift of a machine over minutes cancels out. Empty for the first side, and where there is no such ratio.
     */
    public Spread ratio(Measurement.Setting setting, String side, Quantity quantity) {
        Map<Integer, BigDecimal> first = rounds(setting, sides(setting).get(0), quantity);
        List<BigDecimal> ratios = new ArrayList<>();
        rounds(setting, side, quantity).forEach((round, figure) -> {
            BigDecimal base = first.get(round);
            if (base != null && base.signum() != 0) {
                ratios.add(figure.divide(base, MathContext.DECIMAL64));
            }
        });
        if (ratios.isEmpty() || !quantity.isCompared() || side.equals(sides(setting).get(0))) {
            return spread(setting, side, line -> line.figures().get(quantity.column()), true);
        }
        Spread exact = Spread.of(ratios);
        return new Spread(rounded(exact.median()), rounded(exact.minimum()), rounded(exact.maximum()));
    }

    private static BigDecimal rounded(BigDecimal ratio) {
        return ratio.setScale(RATIO_DECIMALS, RoundingMode.HALF_UP);
    }

    private Map<Integer, BigDecimal> rounds(Measurement.Setting setting, String side, Quantity quantity) {
        Map<Integer, BigDecimal> rounds = new TreeMap<>();
        of(setting, side).filter(line -> line.statistic() == Statistic.ROUND && line.figures().containsKey(quantity.column()))
            .forEach(line -> rounds.put(line.round(), line.figures().get(quantity.column())));
        return rounds;
    }

    private Spread spread(Measurement.Setting setting, String side, Function<Measurement, BigDecimal> figure, boolean ofRatios) {
        List<BigDecimal> rounds = of(setting, side).filter(line -> line.statistic() == Statistic.ROUND && !ofRatios).map(figure)
            .filter(value -> value != null).toList();
        if (!rounds.isEmpty()) {
            return Spread.of(rounds);
        }
        return new Spread(summary(setting, side, ofRatios ? Statistic.RATIO_MEDIAN : Statistic.MEDIAN, figure),
            summary(setting, side, ofRatios ? Statistic.RATIO_MINIMUM : Statistic.MINIMUM, figure),
            summary(setting, side, ofRatios ? Statistic.RATIO_MAXIMUM : Statistic.MAXIMUM, figure));
    }

    private BigDecimal summary(Measurement.Setting setting, String side, Statistic statistic, Function<Measurement, BigDecimal> figure) {
        return of(setting, side).filter(line -> line.statistic() == statistic).map(figure).filter(value -> value != null).findFirst()
            .orElse(null);
    }

    private Stream<Measurement> of(Measurement.Setting setting, String side) {
        return lines.stream().filter(line -> line.setting().equals(setting) && line.side().equals(side));
    }
}
