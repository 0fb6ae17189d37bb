package io.eyewall.integration.bench.henge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * Topologies with the same service level that share a cluster, what happens to them, and the sides that are compared. The days of load are
 * the experiment of Xu's thesis, section 3.5; the other scenarios have one thing happen that the days mix.
 *
 * @param name its name on the command line
 * @param about what happens, for the text above the table
 * @param tenants the topologies
 * @param span how long a run takes
 * @param changes what happens during a run, in the order of time
 * @param sides the sides that are compared
 * @param figures the figures of a run
 */
record UtilityScenario(String name, String about, Tenants tenants, Span span, List<Change> changes, List<Side> sides,
    List<UtilityFigure> figures) {

    private static final int THIRDS = 3;
    private static final int DAYS = 2;
    /** Enough for the median load of the days: join gets 0.8 of the messages and aggregate 0.64. */
    private static final int TUNED_EXECUTORS = 3;
    /** At {@link #STEADY_PER_SEC} one executor for each operator suffices; at so many times that rate it does not. */
    private static final double SPIKE = 3;
    private static final int STEADY_PER_SEC = 100;
    private static final int WARM_UP_SECONDS = 30;
    /** Long enough for Henge to give executors to those that need them from the start. */
    private static final int SEARCH_SECONDS = 120;
    private static final Load EQUAL = new Steady(List.of(1.0, 1.0, 1.0, 1.0));

    private static final Side DEFAULTS = new Side("Storm's defaults", false, Map.of());
    private static final Side HENGE = new Side("Henge", true, Map.of());
    private static final List<UtilityFigure> AROUND_THE_CHANGE = List.of(UtilityFigure.AVERAGE, UtilityFigure.P15, UtilityFigure.P50,
        UtilityFigure.BEFORE, UtilityFigure.AFTER, UtilityFigure.BACK, UtilityFigure.STEPS);

    UtilityScenario {
        changes = List.copyOf(changes);
        sides = List.copyOf(sides);
        figures = List.copyOf(figures);
    }

    /**
     * Page Load topologies.
     *
     * @param number how many there are in the end
     * @param atStart how many are submitted at the start
     * @param ratePerSec what the factors of the load are of, in messages per second, unless the user sets another
     * @param stepSeconds how long each rate of a topology's file holds; then the topology notices a change of the file
     * @param load their load
     */
    record Tenants(int number, int atStart, int ratePerSec, int stepSeconds, Load load) {

        /** The same with another rate. */
        Tenants withRate(int perSec) {
            return new Tenants(number, atStart, perSec, stepSeconds, load);
        }

        /** The same with another load. */
        Tenants withLoad(Load other) {
            return new Tenants(number, atStart, ratePerSec, stepSeconds, other);
        }

        /** The lines of a topology's file of rates for a run. */
        List<String> rates(int topology, int seconds) {
            return lines(load.factors(topology, seconds / stepSeconds));
        }

        /** The lines of a file of rates. */
        List<String> lines(double... factors) {
            return DoubleStream.of(factors).mapToObj(factor -> String.format(Locale.ROOT, "%.2f", factor * ratePerSec)).toList();
        }
    }

    /** The load of topologies. */
    sealed interface Load {

        /** The factors of a topology's rate, counted from 0, one for each of some steps of a run; or one that holds for all steps. */
        double[] factors(int topology, int steps);
    }

    /** A load that does not change by itself, with a factor for each topology. */
    record Steady(List<Double> factors) implements Load {

        @Override
        public double[] factors(int topology, int steps) {
            return new double[] {factors.get(topology)};
        }
    }

    /** A load that changes as in days: that of files, which the topologies follow in turns, or one that is made up. */
    record Days(List<Path> traces) implements Load {

        @Override
        public double[] factors(int topology, int steps) {
            try {
                return traces.isEmpty() ? DiurnalRates.generate(1 + topology % 2, DAYS, steps)
                    : DiurnalRates.read(traces.get(topology % traces.size()), steps);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * How long a run takes.
     *
     * @param seconds unless the user says otherwise
     * @param leastSeconds the shortest run
     * @param pieceSeconds the length of the pieces whose utilities are averaged and counted
     * @param warmUpSeconds how long the topologies run before, unless the user says otherwise
     */
    record Span(int seconds, int leastSeconds, int pieceSeconds, int warmUpSeconds) {
    }

    /**
     * Something that happens during a run.
     *
     * @param thirds after how many thirds of the run
     * @param action what happens
     */
    record Change(int thirds, Action action) {

        /** After how many seconds of a run it happens: when a piece begins. */
        int atSecond(int seconds, int pieceSeconds) {
            return seconds * thirds / THIRDS / pieceSeconds * pieceSeconds;
        }
    }

    /** Changes topologies that run, or their cluster. */
    @FunctionalInterface
    interface Action {

        /** Begins the change; need not wait for its effect. */
        void apply(UtilityStage stage);
    }

    /**
     * A side of the comparison.
     *
     * @param label its name in the table
     * @param isHenge whether it runs on Eyewall's installation with the HengeScheduler and service levels; else on upstream's
     * @param settings topology configuration on top of that of all sides
     */
    record Side(String label, boolean isHenge, Map<String, Object> settings) {
    }

    /** All scenarios. */
    static List<UtilityScenario> all() {
        return List.of(diurnal(), spike(), newTenant(), machineFailure(), moves());
    }

    /** The same with other tenants. */
    UtilityScenario with(Tenants others) {
        return new UtilityScenario(name, about, others, span, changes, sides, figures);
    }

    /** The text above the table, which says what is compared. */
    String notes(int seconds) {
        return String.format(Locale.ROOT, "%d Page Load topologies, whose objective is a mean latency of %.0f ms from due to processed%s;"
            + " %d s, in pieces of %d s; utility in per cent of the most that there could be.", tenants.number, UtilityRun.OBJECTIVE_MS,
            about.isEmpty() ? "" : "; " + about, seconds, span.pieceSeconds);
    }

    /** When the first change of a run happens, in seconds since its beginning; empty if nothing happens. */
    Optional<Integer> changeSecond(int seconds) {
        return changes.stream().findFirst().map(change -> change.atSecond(seconds, span.pieceSeconds));
    }

    /** Days of load, hours compressed to seconds (section 3.5): two of 12 minutes each, unless the user says otherwise. */
    private static UtilityScenario diurnal() {
        Side tuned = new Side("tuned for the median", false,
            Map.of("eyewall.parallelism.join", TUNED_EXECUTORS, "eyewall.parallelism.aggregate", TUNED_EXECUTORS));
        return new UtilityScenario("henge/diurnal", "", new Tenants(4, 4, 400, 5, new Days(List.of())),
            new Span(1_440, 60, 10, WARM_UP_SECONDS), List.of(), List.of(DEFAULTS, tuned, HENGE), List.of(UtilityFigure.AVERAGE,
            UtilityFigure.P15, UtilityFigure.P50, UtilityFigure.P90, UtilityFigure.STEPS_IN_FIRST_HALF,
            UtilityFigure.STEPS_IN_SECOND_HALF, UtilityFigure.BEING_APPLIED));
    }

    private static UtilityScenario spike() {
        return aroundAChange("henge/spike", "the rate of one triples for the second third of the run", WARM_UP_SECONDS, 4, EQUAL,
            List.of(new Change(1, stage -> stage.changeRate(0, SPIKE)), new Change(2, stage -> stage.changeRate(0, 1))));
    }

    /** The topology that comes later needs more than Storm's defaults from its start. */
    private static UtilityScenario newTenant() {
        return aroundAChange("henge/new-tenant", "one of them, at three times the rate of the others, is submitted a third into the run",
            WARM_UP_SECONDS, 3, new Steady(List.of(1.0, 1.0, 1.0, SPIKE)), List.of(new Change(1, stage -> stage.submit(3))));
    }

    /** Half of the topologies need more than Storm's defaults, so that there are executors which must come back. */
    private static UtilityScenario machineFailure() {
        return aroundAChange("henge/machine-failure", "two of them at three times the rate of the others; one of two Supervisors is killed"
            + " with its workers a third into the run", SEARCH_SECONDS, 4, new Steady(List.of(1.0, 1.0, SPIKE, SPIKE)),
            List.of(new Change(1, UtilityStage::killMachine)));
    }

    private static UtilityScenario aroundAChange(String name, String about, int warmUpSeconds, int atStart, Load load,
            List<Change> changes) {
        return new UtilityScenario(name, about, new Tenants(4, atStart, STEADY_PER_SEC, 1, load),
            new Span(360, 120, 10, warmUpSeconds), changes, List.of(DEFAULTS, HENGE), AROUND_THE_CHANGE);
    }

    /** Henge's steps with restarts of workers and without. Pieces are short, since a restart takes a few seconds. */
    private static UtilityScenario moves() {
        List<Change> changes = List.of(new Change(1, stage -> {
            stage.changeRate(0, SPIKE);
            stage.changeRate(1, SPIKE);
        }), new Change(2, stage -> {
            stage.changeRate(2, SPIKE);
            stage.changeRate(3, SPIKE);
        }));
        return new UtilityScenario("henge/moves", "the rates of two triple a third into the run, those of the others after two thirds",
            new Tenants(4, 4, STEADY_PER_SEC, 1, EQUAL), new Span(360, 120, 1, WARM_UP_SECONDS), changes,
            List.of(new Side("Henge, workers restart", true, Map.of("topology.rebalance.hot", false)),
                new Side("Henge, hot rebalance", true, Map.of("topology.rebalance.hot", true))),
            List.of(UtilityFigure.AVERAGE, UtilityFigure.P15, UtilityFigure.P50, UtilityFigure.STEPS, UtilityFigure.APPLIED_AFTER,
                UtilityFigure.LOST, UtilityFigure.PROCESSED));
    }
}
