package io.eyewall.integration.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The runs of all sides under one scenario; the n-th of each were neighbours in time.
 *
 * @param runs for each side, A first, its runs in the order of the rounds
 */
record Comparison(Scenario scenario, List<List<RunResult>> runs) {

    /** The figure of a side. */
    Spread of(int side, Measure measure) {
        return Spread.of(runs.get(side).stream().mapToDouble(measure::of).toArray());
    }

    /** A side's figure as a part of A's in each round: the drift of a machine over minutes is in all sides of a round alike. */
    Spread ratio(int side, Measure measure) {
        return Spread.of(IntStream.range(0, runs.get(0).size())
            .mapToDouble(round -> measure.of(runs.get(side).get(round)) / measure.of(runs.get(0).get(round))).toArray());
    }
}
