package io.eyewall.integration.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of the runs: A B, B A, A B, and so on, so that neither side is always first after the other.
 */
final class Interleaving {

    /** Hears of each run as it ends. */
    @FunctionalInterface
    interface Listener {

        /** {@code round} counts from 1. */
        void ended(Scenario scenario, Side side, int round, RunResult result) throws IOException;
    }

    private final List<Side> sides;
    private final int rounds;
    private final TopologyRuns runs;
    private final Listener listener;

    /** {@code sides} are A and B. */
    Interleaving(List<Side> sides, int rounds, TopologyRuns runs, Listener listener) {
        this.sides = sides;
        this.rounds = rounds;
        this.runs = runs;
        this.listener = listener;
    }

    Comparison compare(Scenario scenario) throws IOException, InterruptedException {
        List<List<RunResult>> results = List.of(new ArrayList<>(), new ArrayList<>());
        for (int round = 1; round <= rounds; round++) {
            int first = (round - 1) % 2;
            for (int index : List.of(first, 1 - first)) {
                RunResult result = runs.run(scenario, sides.get(index), round);
                results.get(index).add(result);
                listener.ended(scenario, sides.get(index), round, result);
            }
        }
        return new Comparison(scenario, results.get(0), results.get(1));
    }
}
