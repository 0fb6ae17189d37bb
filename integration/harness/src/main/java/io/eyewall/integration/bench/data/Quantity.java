package io.eyewall.integration.bench.data;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The quantity of a column of figures. The column's name consists of words and, behind them, the unit: {@code tuples_per_s} are tuples/s,
 * {@code cpu_s_per_million_tuples} is CPU time in s per million tuples, {@code p99_ns} a time in ns, {@code stolen_percent} a part in %;
 * {@code workers_restarted} has no unit: it is a number of workers.
 *
 * @param column the name
 */
public record Quantity(String column) {

    /** The unit in which a table shows times. */
    public enum Scale {
        /** Nanoseconds, as files have them. */
        NS(0),
        /** Microseconds. */
        US(3),
        /** Milliseconds. */
        MS(6),
        /** Seconds. */
        S(9);

        private static final BigDecimal LEAST = new BigDecimal("0.1");

        /** A nanosecond is 10^-places of the unit. */
        private final int places;

        Scale(int places) {
            this.places = places;
        }

        /** The largest unit in which the smallest of some times other than 0 is at least 0.1; seconds only where it is 1 or more. */
        public static Scale of(Collection<BigDecimal> timesNs) {
            BigDecimal smallest = timesNs.stream().filter(time -> time.signum() > 0).min(BigDecimal::compareTo).orElse(BigDecimal.ZERO);
            Scale scale = NS;
            for (Scale larger : values()) {
                scale = larger.from(smallest).compareTo(larger == S ? BigDecimal.ONE : LEAST) >= 0 ? larger : scale;
            }
            return scale;
        }

        private BigDecimal from(BigDecimal ns) {
            return ns.movePointLeft(places);
        }

        private String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String TIME = "ns";
    private static final String PER = "per";
    private static final Map<String, String> UNITS =
        Map.of(TIME, TIME, "us", "us", "s", "s", "percent", "%", "bytes", "bytes", "mb", "MB", "cores", "cores");
    private static final MathContext SHOWN_DIGITS = new MathContext(3);

    /** Whether the column holds times in ns. */
    public boolean isTime() {
        return unit().equals(TIME);
    }

    /** Whether ratios of this quantity have a meaning: those of times and rates do, those of numbers of workers and percentages do not. */
    public boolean isCompared() {
        return isTime() || words().contains(PER);
    }

    /** The words of the name, without the unit. */
    public String name() {
        return words().subList(0, unitStart()).stream().map(word -> word.equals("cpu") ? "CPU" : word).collect(Collectors.joining(" "));
    }

    /** The head of a table's column, with the unit; {@code scale} is that of times, others have none. */
    public String title(Scale scale) {
        String unit = unit(scale);
        return name().isEmpty() || unit.isEmpty() ? name() + unit : name() + ", " + unit;
    }

    /** The unit; empty for a mere number. {@code scale} as above. */
    public String unit(Scale scale) {
        return isTime() ? scale.title() : unit();
    }

    /** A figure of the column with three significant digits, a whole number without a unit with all; {@code scale} as above. */
    public String show(BigDecimal figure, Scale scale) {
        boolean isExact = unit().isEmpty() && figure.stripTrailingZeros().scale() <= 0;
        BigDecimal shown = isExact ? figure : (isTime() ? scale.from(figure) : figure).round(SHOWN_DIGITS);
        return shown.signum() == 0 ? "0" : grouped(shown);
    }

    /** All digits of a number, those before the point in groups of three. */
    public static String grouped(BigDecimal number) {
        return String.format(Locale.ROOT, "%,." + Math.max(0, number.scale()) + "f", number);
    }

    private String unit() {
        List<String> unit = words().subList(unitStart(), words().size());
        String joined = unit.stream().map(word -> UNITS.getOrDefault(word, word)).collect(Collectors.joining(" "));
        return joined.endsWith(" per s") ? joined.replace(" per s", "/s") : joined;
    }

    /** The word that the unit begins with; the number of words if there is none. */
    private int unitStart() {
        List<String> words = words();
        if (words.contains(PER)) {
            return Math.max(0, words.indexOf(PER) - 1);
        }
        int last = words.size() - 1;
        return UNITS.containsKey(words.get(last)) ? last : words.size();
    }

    private List<String> words() {
        return Arrays.asList(column.split("_", -1));
    }
}
