package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Topologies that share machines, in the simulation with queues: with different objectives, with different priorities, and while their
 * load changes as in days, against allocations that do not change. The figures are the files of the tables in the handbook.
 */
class HengeTenantsTest {

    private static final int SECS = 2_880;
    private static final int LOOK_SECS = 10;
    private static final int SEEDS = 5;
    /** The rounds of the files that are played; more with {@code -Deyewall.simulation.seeds=5}. */
    private static final int PLAYED = CommittedFigures.played(SEEDS);
    private static final double NOISE = 0.02;
    private static final int TOPOLOGIES = 8;
    private static final int MACHINES = 4;
    private static final int SLOTS = 8;
    private static final Map<SloMetric, Double> LATENCY = Map.of(SloMetric.LATENCY_MS, 60.0);
    private static final Map<SloMetric, Double> JUICE = Map.of(SloMetric.JUICE, 0.95);
    private static final Map<SloMetric, Double> BOTH = Map.of(SloMetric.LATENCY_MS, 60.0, SloMetric.JUICE, 0.95);
    private static final double HIGH = 35;
    private static final double LOW = 5;
    /** The least and the most load of a day; the mean is 1. */
    private static final double LOWEST = 0.48;
    private static final double HIGHEST = 1.87;
    private static final int DAY_SECS = SECS / 2;

    /** What one run gave. */
    private record Run(QueueingCluster cluster, int steps, double executors) {

        /** The mean utility of some topologies, in per cent of the most that they could have. */
        double percent(IntPredicate which) {
            return IntStream.range(0, TOPOLOGIES).filter(which).mapToDouble(i -> 100
                * cluster.utilities(id(i)).stream().mapToDouble(Double::doubleValue).average().orElseThrow()
                / cluster.topologies.get(id(i)).slo.maxUtility()).average().orElseThrow();
        }

        /** The total utility that it does not exceed in a part of the seconds, in per cent of the most that there could be. */
        double percentile(double percent) {
            double[] ascending = IntStream.range(0, SECS).mapToDouble(second -> IntStream.range(0, TOPOLOGIES)
                .mapToDouble(i -> cluster.utilities(id(i)).get(second)).sum()).sorted().toArray();
            return 100 * ascending[(int) Math.ceil(percent / 100 * SECS) - 1] / cluster.maxUtility();
        }

        double averagePercent() {
            return 100 * cluster.meanUtility() / cluster.maxUtility();
        }

        double cores() {
            return cluster.machines.stream().mapToDouble(machine -> machine.cores()).sum();
        }
    }

    /** Makes the line of a side in one round; the figures are by column. */
    private interface Experiment {

        Map<String, Double> figures(String side, int seed);
    }

    @Test
    void shouldServeObjectivesOfDifferentKinds() throws IOException {
        IntFunction<Slo> slos = i -> slo(List.of(LATENCY, JUICE, BOTH, LATENCY).get(i % 4), HIGH);
        List<String> played = lines("mixed-slos", List.of("one executor each", "Henge"), (side, seed) -> {
            Run run = run(shared(seed, 1.5, slos), side.equals("Henge"), false);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("average_utility_percent", run.averagePercent());
            figures.put("with_a_latency_percent", run.percent(i -> i % 4 == 0 || i % 4 == 3));
            figures.put("with_juice_percent", run.percent(i -> i % 4 == 1));
            figures.put("with_both_percent", run.percent(i -> i % 4 == 2));
            figures.put("steps", (double) run.steps);
            return figures;
        });

        List<String> lines = CommittedFigures.assertSame("mixed-slos.csv", PLAYED, played);
        for (String column : List.of("average_utility_percent", "with_a_latency_percent")) {
            assertBelow(lines, "one executor each", column, "Henge", column);
        }
    }

    @Test
    void shouldPreferTheHigherPriorityWhereMachinesAreTooFew() throws IOException {
        List<String> sides = List.of("one executor each", "Henge, equal priorities", "Henge, priorities 35 and 5");
        List<String> played = new ArrayList<>();
        for (double factor : new double[] {0.6, 0.8}) {
            List<String> more = lines("priorities/" + factor, sides, (side, seed) -> {
                boolean isEqual = !side.endsWith("5");
                Run run = run(shared(seed, factor, i -> slo(LATENCY, i % 2 == 0 || isEqual ? HIGH : LOW)), side.startsWith("Henge"), false);
                Map<String, Double> figures = new LinkedHashMap<>();
                figures.put("priority_35_percent", run.percent(i -> i % 2 == 0));
                figures.put("priority_5_percent", run.percent(i -> i % 2 == 1));
                figures.put("weighted_percent",
                    (HIGH * run.percent(i -> i % 2 == 0) + LOW * run.percent(i -> i % 2 == 1)) / (HIGH + LOW));
                figures.put("steps", (double) run.steps);
                return figures;
            });
            played.addAll(played.isEmpty() ? more : more.subList(1, more.size()));
        }

        List<String> lines = CommittedFigures.assertSame("priorities.csv", PLAYED, played).stream()
            .filter(line -> !line.startsWith("simulation/priorities/0.6,")).toList();
        assertBelow(lines, sides.get(2), "priority_5_percent", sides.get(2), "priority_35_percent");
        assertBelow(lines, sides.get(1), "priority_35_percent", sides.get(2), "priority_35_percent");
        assertBelow(lines, sides.get(0), "weighted_percent", sides.get(2), "weighted_percent");
    }

    @Test
    void shouldNeedFewerCoresThanAnAllocationThatDoesNotChange() throws IOException {
        Map<String, Double> factors = new LinkedHashMap<>();
        factors.put("allocated: 1.5 times the mean load", 1.5);
        factors.put("allocated: 2 times the mean load", 2.0);
        factors.put("Henge: 1 times the mean load", 1.0);
        factors.put("Henge: 1.2 times the mean load", 1.2);
        factors.put("Henge: 1.5 times the mean load", 1.5);
        List<String> played = lines("static-allocation", List.copyOf(factors.keySet()), (side, seed) -> {
            boolean isHenge = side.startsWith("Henge");
            double factor = factors.get(side);
            Run run = run(isHenge ? shared(seed, factor, i -> slo(LATENCY, HIGH)) : allocated(seed, factor), isHenge, true);
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("machines_cores", run.cores());
            figures.put("executors", run.executors);
            figures.put("average_utility_percent", run.averagePercent());
            figures.put("p15_utility_percent", run.percentile(15));
            figures.put("p50_utility_percent", run.percentile(50));
            figures.put("steps", (double) run.steps);
            return figures;
        });

        List<String> lines = CommittedFigures.assertSame("static-allocation.csv", PLAYED, played);
        for (String column : List.of("average_utility_percent", "p15_utility_percent")) {
            for (String allocated : List.of("1.5", "2")) {
                assertBelow(lines, "allocated: " + allocated + " times the mean load", column, "Henge: 1.5 times the mean load", column);
            }
        }
        for (String cores : List.of("1", "1.2")) {
            String less = "Henge: " + cores + " times the mean load";
            assertBelow(lines, less, "average_utility_percent", "allocated: 2 times the mean load", "average_utility_percent");
        }
    }

    /** Checks the order of the medians of two columns, of the same side or of two, so that a new file does not hide a regression. */
    private static void assertBelow(List<String> lines, String side, String column, String otherSide, String otherColumn) {
        double lower = median(lines, side, column);
        double higher = median(lines, otherSide, otherColumn);
        assertTrue(lower < higher,
            () -> column + " of '" + side + "' is " + lower + ", " + otherColumn + " of '" + otherSide + "' " + higher);
    }

    private static double median(List<String> lines, String side, String column) {
        int index = List.of(lines.get(0).split(",", -1)).indexOf(column);
        // Sides are quoted, and some contain a comma.
        return lines.stream().filter(line -> line.contains("\"" + side + "\""))
            .mapToDouble(line -> Double.parseDouble(line.replaceFirst("\".*\"", "").split(",", -1)[index])).sorted().skip(SEEDS / 2)
            .findFirst().orElseThrow();
    }

    /** The header and the lines of an experiment; a round is a seed. */
    private static List<String> lines(String name, List<String> sides, Experiment experiment) {
        List<String> lines = new ArrayList<>();
        for (String side : sides) {
            for (int seed = 1; seed <= PLAYED; seed++) {
                Map<String, Double> figures = experiment.figures(side, seed);
                if (lines.isEmpty()) {
                    lines.add("scenario,rate_per_s,side,round,rounds,seconds," + String.join(",", figures.keySet())
                        + ",stolen_percent,date,machine,version");
                }
                lines.add(String.format(Locale.ROOT, "simulation/%s,,\"%s\",%d,%d,%d,%s,,unknown,simulation in virtual time,as this page",
                    name, side, seed, SEEDS, SECS, figures.entrySet().stream()
                        .map(figure -> String.format(Locale.ROOT, figure.getKey().equals("steps") ? "%.0f" : "%.1f", figure.getValue()))
                        .collect(Collectors.joining(","))));
            }
        }
        return lines;
    }

    private static Run run(QueueingCluster cluster, boolean isHenge, boolean isDays) {
        HengeConfiguration base = HengeConfiguration.DEFAULT;
        HengePlanner planner = new HengePlanner(new HengeConfiguration(base.goal(), base.congestion(), base.improvement(), base.fall(),
            base.highCpu(), base.reductionShare(), base.minimumShare(), base.othersBound(), base.loadChange(), 20_000, 100_000,
            base.remedies()));
        double[] inputs = IntStream.range(0, TOPOLOGIES).mapToDouble(i -> cluster.topologies.get(id(i)).inputPerSec).toArray();
        HengeState state = HengeState.START;
        int steps = 0;
        double executors = 0;
        for (int secs = 0; secs < SECS; secs += LOOK_SECS) {
            for (int i = 0; isDays && i < TOPOLOGIES; i++) {
                cluster.topologies.get(id(i)).inputPerSec = inputs[i] * dayLoad(secs, i);
            }
            Observation now = cluster.observe(LOOK_SECS);
            executors += (double) cluster.executors() * LOOK_SECS / SECS;
            if (isHenge) {
                HengeStep step = planner.step(state, now);
                state = step.state();
                step.measuredAnew().forEach(cluster::restartWindow);
                step.plan().ifPresent(cluster::apply);
                steps += step.plan().isPresent() ? 1 : 0;
            }
        }
        return new Run(cluster, steps, executors);
    }

    /** The load at a time of a day; the peaks of the topologies are spread over the day. */
    private static double dayLoad(int secs, int topology) {
        double wave = (1 + StrictMath.cos(2 * Math.PI * ((double) secs / DAY_SECS - (double) topology / TOPOLOGIES))) / 2;
        return LOWEST + (HIGHEST - LOWEST) * wave * wave;
    }

    /** Machines that all topologies share, each of which begins on two of them; their cores are a multiple of what the load takes. */
    private static QueueingCluster shared(int seed, double factor, IntFunction<Slo> slos) {
        QueueingCluster cluster = new QueueingCluster(seed, NOISE);
        List<SimulatedTopology> topologies = topologies(seed, slos);
        double cores = factor * topologies.stream().mapToDouble(HengeTenantsTest::cores).sum() / MACHINES;
        IntStream.range(0, MACHINES).forEach(machine -> cluster.machine("m" + machine, SLOTS, cores));
        for (int i = 0; i < TOPOLOGIES; i++) {
            cluster.add(topologies.get(i).on(List.of(new Slot("m" + i % MACHINES, 6700 + i / MACHINES),
                new Slot("m" + (i + 1) % MACHINES, 6704 + i / MACHINES)), 1));
        }
        return cluster;
    }

    /** A machine for each topology, with a multiple of the cores and executors that its mean load takes. */
    private static QueueingCluster allocated(int seed, double factor) {
        QueueingCluster cluster = new QueueingCluster(seed, NOISE);
        List<SimulatedTopology> topologies = topologies(seed, i -> slo(LATENCY, HIGH));
        for (int i = 0; i < TOPOLOGIES; i++) {
            SimulatedTopology topology = topologies.get(i);
            cluster.machine("m" + i, 1, factor * cores(topology));
            cluster.add(topology.on(List.of(new Slot("m" + i, 6700)),
                operator -> Math.max(1, (int) Math.ceil(factor * topology.load(operator)))));
        }
        return cluster;
    }

    private static List<SimulatedTopology> topologies(int seed, IntFunction<Slo> slos) {
        Random random = new Random(seed);
        List<SimulatedTopology> topologies = new ArrayList<>();
        for (int i = 0; i < TOPOLOGIES; i++) {
            topologies.add(SimulatedTopology.pageLoad(id(i), slos.apply(i), 200 + random.nextInt(300),
                random.doubles(6, 0.5, 6).toArray()));
        }
        return topologies;
    }

    /** The cores that a topology's load takes, with the overhead of as many executors as that needs at least. */
    private static double cores(SimulatedTopology topology) {
        return IntStream.range(0, topology.graph.size()).mapToDouble(topology::load)
            .map(load -> load + SimulatedCluster.OVERHEAD_CORES * Math.max(1, Math.ceil(load))).sum();
    }

    private static Slo slo(Map<SloMetric, Double> thresholds, double maxUtility) {
        return Slo.of(thresholds, LatencyStatistic.MEAN, maxUtility, "knee");
    }

    private static String id(int topology) {
        return "t" + topology;
    }
}
