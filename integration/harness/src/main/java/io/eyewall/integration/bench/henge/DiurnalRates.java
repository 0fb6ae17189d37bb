package io.eyewall.integration.bench.henge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;

/** The load of days as factors with a mean of 1, one for each of some steps of equal length. */
final class DiurnalRates {

    private static final int HOURS_PER_DAY = 24;
    /** The least and the most load of a day, as hourly means of logs of web servers show them, and the hour of the most. */
    private static final double LOWEST = 0.45;
    private static final double HIGHEST = 1.75;
    private static final double PEAK_HOUR = 13 + 1 / 3.0;
    /** The standard deviation of a step's logarithm from that curve, and how much of a deviation is left in the next step. */
    private static final double DEVIATION = 0.12;
    private static final double MEMORY = 0.7;

    private static final int COLUMNS_OF_TWO = 2;
    private static final int TIME_OF_MORE = 1;
    private static final int VALUE_OF_MORE = 2;

    private DiurnalRates() {
    }

    /** A value at a time, in any units. */
    private record Reading(double time, double value) {
    }

    /**
     * Makes days: a smooth curve with one peak a day, and random deviations that last for a while.
     *
     * @param seed the same seed makes the same days
     */
    static double[] generate(long seed, int days, int steps) {
        Random random = new Random(seed);
        double[] factors = new double[steps];
        double deviation = 0;
        for (int step = 0; step < steps; step++) {
            double hour = (step + 0.5) * days * HOURS_PER_DAY / steps;
            double wave = (1 + Math.cos(2 * Math.PI * (hour - PEAK_HOUR) / HOURS_PER_DAY)) / 2;
            deviation = MEMORY * deviation + Math.sqrt(1 - MEMORY * MEMORY) * DEVIATION * random.nextGaussian();
            factors[step] = (LOWEST + (HIGHEST - LOWEST) * wave * wave) * Math.exp(deviation);
        }
        return normalised(factors);
    }

    /**
     * Reads a trace. Its lines have a time and a value, such as {@code minute,requests}; or three or more columns: a machine, a time and
     * the machine's CPU usage, as in Alibaba's {@code machine_usage}. A first line without numbers is a heading. The mean of all values in
     * a step counts, for a step without any that of the step before.
     *
     * @throws IllegalArgumentException if it is something else, with a line for the user
     */
    static double[] read(Path file, int steps) throws IOException {
        List<Reading> readings = new ArrayList<>();
        List<String> lines = Files.readAllLines(file);
        for (int line = 0; line < lines.size(); line++) {
            String[] columns = lines.get(line).split(",", -1);
            boolean isPair = columns.length == COLUMNS_OF_TWO;
            try {
                readings.add(new Reading(Double.parseDouble(columns[isPair ? 0 : TIME_OF_MORE]),
                    Double.parseDouble(columns[isPair ? 1 : VALUE_OF_MORE])));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                if (line > 0) {
                    throw new IllegalArgumentException("--rates: line " + (line + 1) + " of " + file + " is '" + lines.get(line)
                        + "', but must be a time and a value, or a machine, a time and a value, with commas between them", e);
                }
            }
        }
        readings.sort(Comparator.comparingDouble(Reading::time));
        if (readings.isEmpty() || readings.get(0).time == readings.get(readings.size() - 1).time
                || readings.stream().anyMatch(reading -> !(reading.value >= 0))
                || readings.stream().allMatch(reading -> reading.value == 0)) {
            throw new IllegalArgumentException("--rates: " + file + " needs values at two times or more, none below 0 and one above 0");
        }
        return normalised(means(readings, steps));
    }

    private static double[] means(List<Reading> readings, int steps) {
        double first = readings.get(0).time;
        // The last reading belongs to the last step.
        double length = Math.nextUp((readings.get(readings.size() - 1).time - first) / steps);
        double[] sums = new double[steps];
        int[] counts = new int[steps];
        for (Reading reading : readings) {
            int step = (int) Math.min(steps - 1, (reading.time - first) / length);
            sums[step] += reading.value;
            counts[step]++;
        }
        for (int step = 0; step < steps; step++) {
            sums[step] = counts[step] > 0 ? sums[step] / counts[step] : sums[step - 1];
        }
        return sums;
    }

    private static double[] normalised(double[] factors) {
        double mean = DoubleStream.of(factors).average().orElseThrow();
        return DoubleStream.of(factors).map(factor -> factor / mean).toArray();
    }
}
