package io.eyewall.examples.measuring;

import io.eyewall.examples.configuration.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Rates that follow one another, each for the same time; the last is followed by the first. Immutable.
 */
public final class EmitRates {

    private final double[] perSec;
    private final double stepSecs;

    private EmitRates(double[] perSec, double stepSecs) {
        this.perSec = perSec;
        this.stepSecs = stepSecs;
    }

    /**
     * One rate for ever, in messages per second; more than 0.
     */
    public static EmitRates constant(double perSec) {
        return new EmitRates(new double[] {perSec}, Double.MAX_VALUE);
    }

    /**
     * The rates in the lines of a file.
     *
     * @param stepSecs how long each rate holds, in seconds
     * @param tasks how many tasks share the rates evenly
     * @throws IOException if the file cannot be read
     * @throws ConfigurationException if a line is no rate, or all rates are 0
     */
    public static EmitRates read(Path file, long stepSecs, int tasks) throws IOException {
        List<String> lines = Files.readAllLines(file);
        double[] perSec = new double[lines.size()];
        for (int line = 0; line < perSec.length; line++) {
            perSec[line] = number(lines.get(line)) / tasks;
            if (!(perSec[line] >= 0 && perSec[line] < Double.POSITIVE_INFINITY)) {
                throw new ConfigurationException("Line " + (line + 1) + " of " + file + " is '" + lines.get(line)
                    + "', but must be a number of messages per second, 0 or more");
            }
        }
        if (DoubleStream.of(perSec).sum() == 0) {
            throw new ConfigurationException(file + " has no rate above 0: write one number of messages per second in each line");
        }
        return new EmitRates(perSec, stepSecs);
    }

    /** The rate in a step, counted from 0 without end. */
    double perSec(long step) {
        return perSec[(int) (step % perSec.length)];
    }

    double stepSecs() {
        return stepSecs;
    }

    private static double number(String line) {
        try {
            return Double.parseDouble(line.strip());
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
