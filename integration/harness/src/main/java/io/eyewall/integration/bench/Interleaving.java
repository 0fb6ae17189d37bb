package io.eyewall.integration.bench;

import io.eyewall.integration.bench.data.Turns;
import java.io.IOException;
import java.util.List;

/** Measures the sides of a comparison in {@link Turns}. */
final class Interleaving {

    /** Is called at the end of each run. */
    @FunctionalInterface
    interface Listener {

        /** {@code round} counts from 1. */
        void ended(Scenario scenario, Side side, int round, RunResult result) throws IOException;
    }

    private final List<Side> sides;
    private final int rounds;
    private final TopologyRuns runs;
    private final Listener listener;

    /** {@code sides} are A and those that are compared with it. */
    Interleaving(List<Side> sides, int rounds, TopologyRuns runs, Listener listener) {
        this.sides = sides;
        this.rounds = rounds;
        this.runs = runs;
        this.listener = listener;
    }

    Comparison compare(Scenario scenario) throws IOException, InterruptedException {
        return new Comparison(scenario, Turns.measure(sides.size(), rounds, (side, round) -> {
            RunResult result = runs.run(scenario, sides.get(side), round);
            listener.ended(scenario, sides.get(side), round, result);
            return result;
        }));
    }
}
