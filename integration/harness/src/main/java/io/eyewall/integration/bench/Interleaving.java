package io.eyewall.integration.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of the runs. Each round measures every side once, and begins with the side after the one with which the previous round began: A
 * B, B A, A B. So no side is always first.
 */
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
        List<List<RunResult>> results = sides.stream().<List<RunResult>>map(side -> new ArrayList<>()).toList();
        for (int round = 1; round <= rounds; round++) {
            for (int turn = 0; turn < sides.size(); turn++) {
                int index = (round - 1 + turn) % sides.size();
                RunResult result = runs.run(scenario, sides.get(index), round);
                results.get(index).add(result);
                listener.ended(scenario, sides.get(index), round, result);
            }
        }
        return new Comparison(scenario, results);
    }
}
