package io.eyewall.integration.bench.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A line of a CSV file according to RFC 4180, except that a quoted cell cannot contain a line break. */
public final class CsvLine {

    private static final char QUOTE = '"';

    private CsvLine() {
    }

    /** The line of these cells; those with a comma or a quote are quoted. */
    public static String join(List<String> cells) {
        return cells.stream().map(cell -> cell.indexOf(',') < 0 && cell.indexOf(QUOTE) < 0
            ? cell
            : QUOTE + cell.replace("\"", "\"\"") + QUOTE).collect(Collectors.joining(","));
    }

    /** The cells of a line, or empty if a quoted one does not end. */
    static Optional<List<String>> split(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char character = line.charAt(i);
            if (character == QUOTE) {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == QUOTE) {
                    cell.append(QUOTE);
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (character == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(character);
            }
        }
        cells.add(cell.toString());
        return quoted ? Optional.empty() : Optional.of(cells);
    }
}
