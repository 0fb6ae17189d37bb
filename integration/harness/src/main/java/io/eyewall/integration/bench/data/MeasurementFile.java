package io.eyewall.integration.bench.data;

import io.eyewall.core.report.BadFileException;
import io.eyewall.integration.bench.data.Measurement.Setting;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A CSV file of measurements: a line for each side and round, or lines for the median, the minimum and the maximum of a side where the
 * rounds are no longer known. {@code benchmarks/README.md} has the meaning of each column.
 *
 * <pre>
 *   scenario,rate_per_s,side,round,rounds,seconds,FIGURES...,stolen_percent,date,machine,version
 *   chain/ack/1w,20000,upstream,1,2,5,808000,1350000,0.20,2026-11-23,"2 cores (Intel Xeon), 24 GiB",2.8.3
 * </pre>
 */
public final class MeasurementFile {

    /** The name of the file in the directory of a scenario. */
    public static final String NAME = "runs.csv";

    private static final List<String> BEFORE = List.of("scenario", "rate_per_s", "side", "round", "rounds", "seconds");
    private static final List<String> BEHIND = List.of("stolen_percent", "date", "machine", "version");
    private static final String FORMER_HEADER = "scenario,side,label,round,";
    private static final Pattern COLUMN = Pattern.compile("[a-z0-9.]+(_[a-z0-9.]+)*");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d{1,2})?");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[1-9]\\d{0,8}");
    private static final Pattern DATE = Pattern.compile("\\d{4}(-\\d\\d-\\d\\d(/\\d{4}-\\d\\d-\\d\\d)?)?");

    private final Path file;

    /** Names the file; neither reads nor writes it. */
    public MeasurementFile(Path file) {
        this.file = file;
    }

    /**
     * Reads a file, or all files of the name {@value #NAME} below a directory, in the order of their paths.
     *
     * @throws BadFileException if one of them is not of this format; it names the file, the line and what to do
     */
    public static Measurements readAll(Path fileOrDirectory) throws IOException {
        List<Path> files = List.of(fileOrDirectory);
        if (Files.isDirectory(fileOrDirectory)) {
            try (Stream<Path> below = Files.walk(fileOrDirectory)) {
                files = below.filter(path -> path.endsWith(NAME)).sorted().toList();
            }
        }
        List<Measurements> all = new ArrayList<>();
        for (Path each : files) {
            all.add(new MeasurementFile(each).read());
        }
        if (all.isEmpty()) {
            throw new BadFileException(fileOrDirectory, "no " + NAME + " in it or below it: copy the directory that `storm bench` has"
                + " written to here");
        }
        return Measurements.together(all);
    }

    /** Writes all lines. */
    public void write(Measurements measurements) throws IOException {
        List<String> header = new ArrayList<>(BEFORE);
        measurements.quantities().forEach(quantity -> header.add(quantity.column()));
        header.addAll(BEHIND);
        List<String> lines = new ArrayList<>(List.of(CsvLine.join(header)));
        for (Measurement line : measurements.lines()) {
            Circumstances circumstances = line.circumstances();
            List<String> cells = new ArrayList<>(List.of(line.setting().scenario(), line.setting().ratePerSec(), line.side(),
                line.roundCell(), circumstances.rounds(), circumstances.seconds()));
            for (Quantity quantity : measurements.quantities()) {
                BigDecimal figure = line.figures().get(quantity.column());
                cells.add(figure == null ? "" : figure.toString());
            }
            cells.addAll(List.of(circumstances.stolenPercent(), circumstances.date(), circumstances.machine(), circumstances.version()));
            lines.add(CsvLine.join(cells));
        }
        Files.write(file, lines);
    }

    /**
     * Reads all lines.
     *
     * @throws BadFileException if it is not of this format; it names the file, the line and what to do
     */
    public Measurements read() throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new BadFileException(file, "no such file of measurements");
        }
        List<String> lines = Files.readAllLines(file);
        List<Quantity> quantities = quantities(lines.isEmpty() ? "" : lines.get(0));
        List<Measurement> measurements = new ArrayList<>();
        Map<List<Object>, Integer> seen = new HashMap<>();
        for (int index = 1; index < lines.size(); index++) {
            Measurement measurement = measurement(index + 1, lines.get(index), quantities);
            List<Object> key = List.of(measurement.setting(), measurement.side(), measurement.roundCell());
            Integer before = seen.putIfAbsent(key, index + 1);
            if (before != null) {
                throw bad(index + 1, "the same scenario, rate_per_s, side and round as in line " + before + ": leave one of them out");
            }
            measurements.add(measurement);
        }
        requireRoundsOrSummary(measurements);
        return new Measurements(quantities, measurements);
    }

    private List<Quantity> quantities(String header) throws BadFileException {
        if (header.startsWith(FORMER_HEADER)) {
            throw bad(1, "the former format of " + NAME + ", which has the columns side, label and stolen, and neither machine nor date"
                + " nor version: measure again with `storm bench`");
        }
        List<String> columns = cells(1, header);
        int end = columns.size() - BEHIND.size();
        if (end < BEFORE.size() || !columns.subList(0, BEFORE.size()).equals(BEFORE)
            || !columns.subList(end, columns.size()).equals(BEHIND)) {
            throw bad(1, "the columns are " + BadFileException.quote(header) + ": the first ones have to be " + String.join(",", BEFORE)
                + " and the last ones " + String.join(",", BEHIND) + ", with the figures between");
        }
        List<Quantity> quantities = new ArrayList<>();
        for (String column : columns.subList(BEFORE.size(), end)) {
            if (!COLUMN.matcher(column).matches() || quantities.contains(new Quantity(column))) {
                throw bad(1, "a column is called " + BadFileException.quote(column)
                    + ": write words joined with _, the unit last, as p99_ns, each name once");
            }
            quantities.add(new Quantity(column));
        }
        return quantities;
    }

    private Measurement measurement(int number, String line, List<Quantity> quantities) throws BadFileException {
        List<String> cells = cells(number, line);
        int end = BEFORE.size() + quantities.size();
        if (cells.size() != end + BEHIND.size()) {
            throw bad(number, cells.size() + " cells under " + (end + BEHIND.size()) + " columns: quote a text that has commas, and leave a"
                + " cell empty where nothing was measured");
        }
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        for (int column = 0; column < quantities.size(); column++) {
            String cell = cells.get(BEFORE.size() + column);
            if (!cell.isEmpty()) {
                require(NUMBER.matcher(cell).matches(), number, quantities.get(column).column(), cell,
                    "a number without its unit, or nothing where it was not measured");
                figures.put(quantities.get(column).column(), new BigDecimal(cell));
            }
        }
        Circumstances circumstances = new Circumstances(cells.get(4), cells.get(5), cells.get(end), cells.get(end + 1),
            cells.get(end + 2), cells.get(end + 3));
        check(number, cells, circumstances);
        Optional<Statistic> summary = Statistic.titled(cells.get(3));
        require(summary.isPresent() || WHOLE_NUMBER.matcher(cells.get(3)).matches(), number, "round", cells.get(3), "the number of a round,"
            + " or of all rounds median, minimum, maximum, ratio median, ratio minimum or ratio maximum");
        return new Measurement(new Setting(cells.get(0), cells.get(1)), cells.get(2), summary.orElse(Statistic.ROUND),
            summary.isPresent() ? 0 : Integer.parseInt(cells.get(3)), circumstances, figures);
    }

    private void check(int number, List<String> cells, Circumstances circumstances) throws BadFileException {
        for (int column : List.of(0, 2)) {
            require(!cells.get(column).isBlank(), number, BEFORE.get(column), cells.get(column), "a name");
        }
        require(cells.get(1).isEmpty() || NUMBER.matcher(cells.get(1)).matches(), number, "rate_per_s", cells.get(1),
            "a number, 0 for full speed, or nothing");
        requireKnown(WHOLE_NUMBER, number, "rounds", circumstances.rounds(), "a whole number");
        requireKnown(NUMBER, number, "seconds", circumstances.seconds().isEmpty() ? "0" : circumstances.seconds(), "a number, nothing");
        requireKnown(NUMBER, number, "stolen_percent", circumstances.stolenPercent().isEmpty() ? "0" : circumstances.stolenPercent(),
            "a number, nothing");
        requireKnown(DATE, number, "date", circumstances.date(), "a date as 2026-11-23 or 2026-11-22/2026-11-23");
        require(!circumstances.machine().isBlank(), number, "machine", "", "what it was measured on, or unknown");
        require(!circumstances.version().isBlank(), number, "version", "", "what version was measured, or unknown");
    }

    private void requireKnown(Pattern pattern, int number, String column, String cell, String expected) throws BadFileException {
        require(cell.equals(Circumstances.UNKNOWN) || pattern.matcher(cell).matches(), number, column, cell,
            expected + ", or " + Circumstances.UNKNOWN);
    }

    private void require(boolean condition, int number, String column, String cell, String expected) throws BadFileException {
        if (!condition) {
            throw bad(number, column + " is " + BadFileException.quote(cell) + ": write " + expected);
        }
    }

    /** A side has either rounds or a summary: both could contradict each other. */
    private void requireRoundsOrSummary(List<Measurement> measurements) throws BadFileException {
        Map<List<Object>, Boolean> hasRounds = new HashMap<>();
        for (int index = 0; index < measurements.size(); index++) {
            Measurement measurement = measurements.get(index);
            boolean isRound = measurement.statistic() == Statistic.ROUND;
            if (hasRounds.computeIfAbsent(List.of(measurement.setting(), measurement.side()), key -> isRound) != isRound) {
                throw bad(index + 2, "the side " + measurement.side() + " has rounds, and here a summary of rounds, or the other way round:"
                    + " leave one of the two out");
            }
        }
    }

    private List<String> cells(int number, String line) throws BadFileException {
        return CsvLine.split(line).orElseThrow(() -> bad(number, "a quoted cell does not end: close it with \" before the next comma"));
    }

    private BadFileException bad(int number, String what) {
        return new BadFileException(file, number, what);
    }
}
