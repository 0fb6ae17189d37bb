package io.eyewall.integration.bench.transport;

import io.eyewall.integration.bench.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The figures of all rounds as Markdown: a row for each size, for each side the median of the rounds, and its ratio to the first side with
 * the least and the most of the rounds. What a side does not measure, not a number, is a dash.
 *
 * @param labels of the sides
 * @param sizesBytes of the messages
 * @param figures by round, side and size
 */
record TransportTable(List<String> labels, List<Integer> sizesBytes, List<List<List<double[]>>> figures) {

    /** The table; latencies, or rates, bandwidth and CPU. */
    List<String> lines(boolean stream) {
        List<String> lines = new ArrayList<>();
        if (stream) {
            table(lines, "messages/s", (size, figure) -> figure[0], "%,.0f");
            table(lines, "MB/s", (size, figure) -> figure[0] * size / 1e6, "%,.0f");
            table(lines, "CPU us per message, both ends", (size, figure) -> figure[1], "%.2f");
        } else {
            table(lines, "half a round trip, us", (size, figure) -> figure[0], "%.1f");
        }
        return lines;
    }

    private void table(List<String> lines, String title, Figure figure, String format) {
        lines.add("");
        lines.add("| " + title + " | " + String.join(" | ", labels) + " |");
        lines.add("|---|" + "---|".repeat(labels.size()));
        for (int size = 0; size < sizesBytes.size(); size++) {
            StringBuilder row = new StringBuilder("| " + bytes(sizesBytes.get(size)) + " |");
            for (int side = 0; side < labels.size(); side++) {
                int column = side;
                int line = size;
                Spread absolute = spread(round -> figure.of(sizesBytes.get(line), round.get(column).get(line)));
                boolean measured = !Double.isNaN(absolute.median());
                row.append(' ').append(measured ? String.format(Locale.ROOT, format, absolute.median()) : "-");
                if (side > 0 && measured) {
                    Spread ratio = spread(round -> figure.of(sizesBytes.get(line), round.get(column).get(line))
                        / figure.of(sizesBytes.get(line), round.get(0).get(line)));
                    row.append(" (").append(ratio.format(value -> String.format(Locale.ROOT, "%.2f", value))).append(')');
                }
                row.append(" |");
            }
            lines.add(row.toString());
        }
    }

    private Spread spread(ToDoubleFunction<List<List<double[]>>> ofRound) {
        return Spread.of(IntStream.range(0, figures.size()).mapToDouble(round -> ofRound.applyAsDouble(figures.get(round))).toArray());
    }

    private static String bytes(int size) {
        return size < 1_024 ? size + " B" : size / 1_024 + " KB";
    }

    private interface Figure {

        double of(int sizeBytes, double[] figure);
    }
}
