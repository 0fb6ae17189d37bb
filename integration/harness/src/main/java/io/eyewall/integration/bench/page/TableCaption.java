package io.eyewall.integration.bench.page;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Quantity;
import io.eyewall.integration.bench.data.Spread;
import io.eyewall.integration.bench.page.MeasurementTable.Row;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The text above a table: what its figures are, and how, when and where they were measured. A circumstance that is the same for all rows,
 * or for all rows of a side, is in the caption; any other is a column.
 */
final class TableCaption {

    private static final int MAX_IN_A_SENTENCE = 3;

    /** A circumstance that differs from row to row. */
    record Column(String title, Map<Row, String> byRow) {

        String of(Row row) {
            return byRow.get(row);
        }
    }

    private final Measurements measurements;
    private final List<Row> rows;
    private final List<Column> columns = new ArrayList<>();
    private final List<String> sentences = new ArrayList<>();
    private final String rounds;

    TableCaption(Measurements measurements, List<Row> rows) {
        this.measurements = measurements;
        this.rows = rows;
        rounds = rounds();
        add("machine", Circumstances::machine);
        add("date", circumstances -> circumstances.date().replace("/", " to "));
        add("version", Circumstances::version);
        Set<String> stolen = new LinkedHashSet<>(byRow(Circumstances::stolenPercent).values());
        if (stolen.equals(Set.of(Circumstances.UNKNOWN))) {
            sentences.add("Stolen time: unknown.");
        }
    }

    /** The columns that a table needs for what differs. */
    List<Column> columns() {
        return columns;
    }

    /** The lines above a table; {@code times} is how its cells mark a ratio. */
    List<String> lines(String times) {
        StringBuilder figures = new StringBuilder(rounds);
        boolean inBrackets = hasAny((row, quantity) -> hasMedianAndEnds(figure(row, quantity)) || hasMedianAndEnds(ratio(row, quantity)));
        boolean alone = hasAny((row, quantity) -> hasEndsAlone(figure(row, quantity)) || hasEndsAlone(ratio(row, quantity)));
        if (inBrackets || alone) {
            figures.append(!alone ? "; in brackets" : !inBrackets ? "; as a - b" : "; in brackets, or as a - b,")
                .append(" the least and the most");
        }
        if (hasAny((row, quantity) -> !ratio(row, quantity).isEmpty())) {
            Set<String> firsts = measurements.settings().stream().map(setting -> measurements.sides(setting).get(0))
                .collect(Collectors.toCollection(LinkedHashSet::new));
            figures.append("; ").append(times).append(": the ratio to ")
                .append(firsts.size() == 1 ? '"' + firsts.iterator().next() + '"' : "the first side").append(", round by round");
        }
        List<String> lines = new ArrayList<>(List.of(figures.append('.').toString()));
        lines.add(String.join(" ", sentences));
        return lines;
    }

    /** How many rounds there were and how long they took, as far as that is known. */
    private String rounds() {
        Set<String> numbers = known(Circumstances::rounds);
        Set<String> seconds = known(Circumstances::seconds);
        String each = seconds.size() == 1 ? " of " + Quantity.grouped(new BigDecimal(seconds.iterator().next())) + " s" : "";
        if (seconds.size() > 1) {
            columns.add(new Column("seconds", byRow(Circumstances::seconds)));
        }
        if (numbers.size() > 1) {
            columns.add(new Column("rounds", byRow(Circumstances::rounds)));
            return "Median of the rounds" + each;
        }
        String number = numbers.isEmpty() ? Circumstances.UNKNOWN : numbers.iterator().next();
        return switch (number) {
            case Circumstances.UNKNOWN -> "Median of an unknown number of rounds" + each;
            case "1" -> "One round" + each;
            default -> "Median of " + number + " rounds" + each;
        };
    }

    private void add(String title, Function<Circumstances, String> which) {
        Map<Row, String> values = byRow(which);
        Map<String, Set<String>> bySide = new LinkedHashMap<>();
        values.forEach((row, value) -> bySide.computeIfAbsent(row.side(), side -> new LinkedHashSet<>()).add(value));
        int different = Set.copyOf(values.values()).size();
        boolean differsWithinASide = different > 1 && bySide.values().stream().anyMatch(ofSide -> ofSide.size() > 1);
        if (different > MAX_IN_A_SENTENCE || differsWithinASide) {
            columns.add(new Column(title, values));
            return;
        }
        Map<String, List<String>> sidesByValue = new LinkedHashMap<>();
        bySide.forEach((side, ofSide) -> sidesByValue.computeIfAbsent(ofSide.iterator().next(), value -> new ArrayList<>()).add(side));
        sentences.add(title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1) + ": " + listed(sidesByValue) + ".");
    }

    /** The values with the sides that have them; one that more than half of the sides have stands first, without their names. */
    private static String listed(Map<String, List<String>> sidesByValue) {
        int sides = sidesByValue.values().stream().mapToInt(List::size).sum();
        Optional<String> usual = sidesByValue.keySet().stream().filter(value -> 2 * sidesByValue.get(value).size() > sides).findFirst();
        String others = sidesByValue.entrySet().stream().filter(entry -> !entry.getKey().equals(usual.orElse(null)))
            .map(entry -> entry.getKey() + " (" + String.join("; ", entry.getValue()) + ")").collect(Collectors.joining(", "));
        return usual.map(value -> others.isEmpty() ? value : value + ", except " + others).orElse(others);
    }

    private static boolean hasMedianAndEnds(Spread spread) {
        return spread.hasEnds() && spread.median() != null;
    }

    private static boolean hasEndsAlone(Spread spread) {
        return spread.hasEnds() && spread.median() == null;
    }

    private Set<String> known(Function<Circumstances, String> which) {
        Set<String> values = new LinkedHashSet<>(byRow(which).values());
        values.removeAll(Set.of("", Circumstances.UNKNOWN));
        return values;
    }

    private Map<Row, String> byRow(Function<Circumstances, String> which) {
        Map<Row, String> values = new LinkedHashMap<>();
        rows.forEach(row -> values.put(row, measurements.circumstance(row.setting(), row.side(), which)));
        return values;
    }

    private boolean hasAny(BiPredicate<Row, Quantity> condition) {
        return rows.stream().anyMatch(row -> measurements.quantities().stream().anyMatch(quantity -> condition.test(row, quantity)));
    }

    private Spread figure(Row row, Quantity quantity) {
        return measurements.figure(row.setting(), row.side(), quantity);
    }

    private Spread ratio(Row row, Quantity quantity) {
        return measurements.ratio(row.setting(), row.side(), quantity);
    }
}
