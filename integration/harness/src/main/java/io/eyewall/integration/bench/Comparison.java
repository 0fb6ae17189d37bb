package io.eyewall.integration.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The runs of both sides under one scenario; the n-th of each were neighbours in time.
 */
record Comparison(Scenario scenario, List<RunResult> a, List<RunResult> b) {

    Spread a(Measure measure) {
        return spread(measure, a);
    }

    Spread b(Measure measure) {
        return spread(measure, b);
    }

    /** B/A of each round: the drift of a machine over minutes is in both sides of a round alike. */
    Spread ratio(Measure measure) {
        return Spread.of(IntStream.range(0, a.size()).mapToDouble(round -> measure.of(b.get(round)) / measure.of(a.get(round))).toArray());
    }

    private static Spread spread(Measure measure, List<RunResult> runs) {
        return Spread.of(runs.stream().mapToDouble(measure::of).toArray());
    }
}
