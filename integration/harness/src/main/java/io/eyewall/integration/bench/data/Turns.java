package io.eyewall.integration.bench.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The order of the runs. Each round measures every side once, and begins with the side after the one with which the previous round began: A
 * B, B A, A B. So no side is always first.
 */
public final class Turns {

    /** Measures a side. */
    @FunctionalInterface
    public interface Run<R> {

        /** {@code side} counts from 0, and {@code round} from 1. */
        R run(int side, int round) throws IOException, InterruptedException;
    }

    private Turns() {
    }

    /** Measures so many sides in so many rounds; returns what came out, by side, in the order of the rounds. */
    public static <R> List<List<R>> measure(int sides, int rounds, Run<R> run) throws IOException, InterruptedException {
        List<List<R>> results = Stream.<List<R>>generate(ArrayList::new).limit(sides).toList();
        for (int round = 1; round <= rounds; round++) {
            for (int turn = 0; turn < sides; turn++) {
                int side = (round - 1 + turn) % sides;
                results.get(side).add(run.run(side, round));
            }
        }
        return results;
    }
}
