package io.eyewall.examples.measuring;

import io.eyewall.examples.configuration.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.DoubleStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rates that follow one another, each for the same time. Immutable.
 */
public final class EmitRates {

    private static final Logger LOG = LoggerFactory.getLogger(EmitRates.class);

    private final double[] perSec;
    private final double stepSecs;
    /** Null if they are not from a file. */
    private final Path file;
    private final int tasks;

    private EmitRates(double[] perSec, double stepSecs, Path file, int tasks) {
        this.perSec = perSec;
        this.stepSecs = stepSecs;
        this.file = file;
        this.tasks = tasks;
    }

    /**
     * One rate for ever, in messages per second; more than 0.
     */
    public static EmitRates constant(double perSec) {
        return new EmitRates(new double[] {perSec}, Double.MAX_VALUE, null, 1);
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
        return new EmitRates(perSec, stepSecs, file, tasks);
    }

    /**
     * The rates that follow the last of these: what the file has by now, so that somebody can change the load of a running topology. If it
     * has no rates any more, these again, with a warning in the log.
     */
    EmitRates next() {
        if (file == null) {
            return this;
        }
        try {
            return read(file, Math.round(stepSecs), tasks);
        } catch (IOException | ConfigurationException failure) {
            LOG.warn("The rates stay as they are, since their file cannot be read again", failure);
            return this;
        }
    }

    /** How many there are. */
    int steps() {
        return perSec.length;
    }

    /** The rate in a step, counted from 0. */
    double perSec(int step) {
        return perSec[step];
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
