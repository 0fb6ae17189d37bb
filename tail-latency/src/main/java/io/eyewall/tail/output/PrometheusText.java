package io.eyewall.tail.output;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Adds up pages in Prometheus' text format (version 0.0.4), as several processes return them for one. Counts and sums of the same series
 * are added; of quantiles, maxima and error bounds the highest stands. For one thread.
 */
final class PrometheusText {

    /** By name: comments, then series in the order in which they came. */
    private final Map<String, Family> families = new LinkedHashMap<>();

    private static final class Family {
        private final StringBuilder comments = new StringBuilder();
        private final Map<String, Double> series = new LinkedHashMap<>();
    }

    /** Adds a page; lines that are not of the format are left out. */
    void add(String page) {
        Family family = null;
        for (String line : page.lines().toList()) {
            if (line.startsWith("# HELP ") || line.startsWith("# TYPE ")) {
                family = families.computeIfAbsent(line.split(" ", 4)[2], each -> new Family());
                if (family.comments.indexOf(line) < 0) {
                    family.comments.append(line).append('\n');
                }
            } else if (family != null) {
                add(family, line);
            }
        }
    }

    /** Adds a series of a family that has one line of help, and is a counter. */
    void addCounter(String name, String help, String labels, double value) {
        Family family = families.computeIfAbsent(name, each -> new Family());
        if (family.comments.isEmpty()) {
            family.comments.append("# HELP ").append(name).append(' ').append(help).append("\n# TYPE ").append(name).append(" counter\n");
        }
        family.series.merge(name + '{' + labels + '}', value, Double::sum);
    }

    private static void add(Family family, String line) {
        int blank = line.lastIndexOf(' ');
        if (blank > 0) {
            try {
                String series = line.substring(0, blank);
                family.series.merge(series, number(line.substring(blank + 1)), isHighest(series) ? PrometheusText::highest : Double::sum);
            } catch (NumberFormatException e) {
                return; // Whatever it is, it is no series.
            }
        }
    }

    private static boolean isHighest(String series) {
        String name = series.contains("{") ? series.substring(0, series.indexOf('{')) : series;
        return name.contains("_max_") || name.contains("_error_bound_") || series.contains("quantile=\"");
    }

    private static double highest(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }

    private static double number(String text) {
        return text.equals("+Inf") ? Double.POSITIVE_INFINITY : text.equals("-Inf") ? Double.NEGATIVE_INFINITY : Double.parseDouble(text);
    }

    /** A value of a label as the format has it. */
    static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        StringBuilder page = new StringBuilder();
        families.values().forEach(family -> {
            page.append(family.comments);
            family.series.forEach((series, value) -> page.append(series).append(' ').append(text(value)).append('\n'));
        });
        return page.toString();
    }

    private static String text(double value) {
        return Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value);
    }
}
