package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole loop in virtual time: up to 100 topologies on 200 machines, with latency, juice and hybrid SLOs. */
class HengeSimulationTest {

    private static final int SMALL = 20;
    private static final int LARGE = 100;
    private static final long LOOK_MS = 30_000;
    private static final int MAX_LOOKS = 4_000;
    private static final double NOISE = 0.005;

    private HengePlanner planner = new HengePlanner(HengeConfiguration.DEFAULT);
    private final List<HengeEvent> events = new ArrayList<>();
    private final List<HengePlan> plans = new ArrayList<>();
    private HengeState state = HengeState.START;

    /** A large cluster and small ones; in a long run also one that is large and has little room, which takes long. */
    static Stream<Arguments> seeds() {
        Stream<Arguments> seeds = LongStream.rangeClosed(3, 10).mapToObj(seed -> Arguments.of(seed, SMALL));
        Stream<Arguments> large = LongStream.rangeClosed(1, Math.min(2, Long.getLong("eyewall.simulation.seeds", 1)))
            .mapToObj(seed -> Arguments.of(seed, LARGE));
        return Stream.concat(large, seeds);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldConvergeToMoreUtilityWhenManyTopologiesMissTheirSlo(long seed, int topologies) {
        SimulatedCluster cluster = cluster(seed, topologies);
        double start = cluster.totalUtility();

        int looks = runUntilConverged(cluster);

        double end = cluster.totalUtility();
        System.out.printf(Locale.ROOT, "seed %d, %d topologies: %s, %d looks, utility %.0f -> %.0f of %.0f%n", seed, topologies, actions(),
            looks, start, end, cluster.topologies.values().stream().mapToDouble(topology -> topology.slo.maxUtility()).sum());
        assertTrue(end > start, "utility from " + start + " to " + end);
        assertNothingIsTriedTwiceWithoutAReduction();
        assertStaysConverged(cluster);
    }

    @Test
    void shouldSearchAgainWhenTheLoadTriplesAndNotWhenItDoesNot() {
        SimulatedCluster cluster = cluster(3, SMALL);
        runUntilConverged(cluster);
        int stepsBefore = plans.size();
        assertStaysConverged(cluster);

        cluster.topologies.values().forEach(topology -> topology.inputPerSec *= 3);
        double start = cluster.totalUtility();
        look(cluster);
        assertEquals(HengeEvent.Kind.RECONVERGENCE, events.get(events.size() - 1).kind());
        runUntilConverged(cluster);

        assertTrue(plans.size() > stepsBefore, "no step was taken");
        assertTrue(cluster.totalUtility() > start, "utility did not rise from " + start);
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4, 5, 6, 7, 8, 9, 10})
    void shouldRaiseTheLowestUtilityWhenThatIsTheGoal(long seed) {
        planner = new HengePlanner(HengeConfiguration.DEFAULT.withGoal(Goal.MINIMUM));
        SimulatedCluster cluster = cluster(seed, SMALL);
        double start = cluster.lowestShare();

        runUntilConverged(cluster);

        double end = cluster.lowestShare();
        System.out.printf(Locale.ROOT, "seed %d, %d topologies: %s, lowest utility %.6f -> %.6f%n", seed, SMALL, actions(), start, end);
        // What is worse than the noise of a figure would have been undone.
        assertTrue(end >= (1 - NOISE) * start, "lowest utility from " + start + " to " + end);
        assertNothingIsTriedTwiceWithoutAReduction();
        assertStaysConverged(cluster);
    }

    /** Every other topology has a tail, which the adaptive timeout takes away. */
    @ParameterizedTest
    @ValueSource(longs = {3, 5, 7, 9})
    void shouldSwitchATechniqueOnWhereItHelpsAndLeaveItOffWhereItDoesNot(long seed) {
        double without = runWithTails(cluster(seed, SMALL), Set.of(RemedyKind.EXECUTORS, RemedyKind.PLACE));
        assertEquals(0, actions().getOrDefault(Action.SWITCH, 0L));

        SimulatedCluster cluster = cluster(seed, SMALL);
        double with = runWithTails(cluster, Set.of(RemedyKind.values()));

        System.out.printf(Locale.ROOT, "seed %d, %d topologies with tails: %s, utility %.0f with the adaptive timeout, %.0f without%n",
            seed, SMALL, actions(), with, without);
        assertTrue(with > without, with + " with it, " + without + " without it");
        cluster.topologies.forEach((id, topology) -> {
            assertEquals(topology.techniques, state.techniques().getOrDefault(id, Set.of()));
            assertTrue(topology.tail > 1 || topology.techniques.isEmpty(), id + " has no tail, and the technique is on");
        });
        assertTrue(cluster.topologies.values().stream().anyMatch(topology -> !topology.techniques.isEmpty()), "none is on");
        assertStaysConverged(cluster);
    }

    /** All machines get other work until they are about as busy as counts as busy, and then less and more of it in turns. */
    @ParameterizedTest
    @ValueSource(longs = {3, 5, 7, 9})
    void shouldSwitchATechniqueOffForGoodWhereMachinesGetBusy(long seed) {
        SimulatedCluster cluster = cluster(seed, SMALL);
        runWithTails(cluster, Set.of(RemedyKind.values()));
        assertTrue(isAnyOn(cluster), "none is on");

        cluster.otherLoad = HengeConfiguration.DEFAULT.highCpu();
        runUntilConvergedAgain(cluster);
        assertFalse(isAnyOn(cluster), () -> "some is on: " + state.techniques());
        int steps = plans.size();
        cluster.loadNoise = 0.2;
        for (int look = 0; look < 300; look++) {
            cluster.otherLoad = look / 30 % 2 == 0 ? 0.7 : 0.2;
            look(cluster);
        }

        System.out.printf(Locale.ROOT, "seed %d, %d topologies on machines that get busy: %s%n", seed, SMALL, actions());
        assertEquals(steps, plans.size(), () -> plans.subList(steps, plans.size()).toString());
        assertNothingIsTriedTwiceWithoutAReduction();
    }

    /** As above, while a search is under way. */
    @ParameterizedTest
    @ValueSource(longs = {3, 5, 7, 9})
    void shouldSwitchATechniqueOnAndOffAtMostOnceInASearchWhileTheLoadSwings(long seed) {
        SimulatedCluster cluster = cluster(seed, SMALL);
        cluster.otherLoad = 0.2;
        cluster.loadNoise = 0.7;

        runWithTails(cluster, Set.of(RemedyKind.values()));

        System.out.printf(Locale.ROOT, "seed %d, %d topologies while the load swings: %s%n", seed, SMALL, actions());
        assertTrue(plans.stream().anyMatch(plan -> plan.diagnosis().startsWith("with the adaptive timeout ")), plans::toString);
    }

    private static boolean isAnyOn(SimulatedCluster cluster) {
        return cluster.topologies.values().stream().anyMatch(topology -> topology.techniques.contains(Technique.TIMEOUT));
    }

    private void runUntilConvergedAgain(SimulatedCluster cluster) {
        look(cluster);
        assertFalse(state.converged());
        runUntilConverged(cluster);
    }

    private double runWithTails(SimulatedCluster cluster, Set<RemedyKind> remedies) {
        planner = new HengePlanner(HengeConfiguration.DEFAULT.withRemedies(remedies));
        state = HengeState.START;
        plans.clear();
        cluster.switchable = true;
        int number = 0;
        for (SimulatedTopology topology : cluster.topologies.values()) {
            topology.tail = number++ % 2 == 0 ? 1 : 4;
        }
        runUntilConverged(cluster);
        assertNothingIsTriedTwiceWithoutAReduction();
        return cluster.totalUtility();
    }

    @Test
    void shouldTakeTheSameStepsWhenTheSeedIsTheSame() {
        runUntilConverged(cluster(4, SMALL));
        List<HengeEvent> first = List.copyOf(events);
        events.clear();
        plans.clear();
        state = HengeState.START;

        runUntilConverged(cluster(4, SMALL));

        assertEquals(first, events);
    }

    private Map<Action, Long> actions() {
        return plans.stream().collect(Collectors.groupingBy(HengePlan::action, TreeMap::new, Collectors.counting()));
    }

    private int runUntilConverged(SimulatedCluster cluster) {
        for (int looks = 1; looks <= MAX_LOOKS; looks++) {
            look(cluster);
            if (state.converged()) {
                return looks;
            }
        }
        throw new AssertionError("not converged after " + MAX_LOOKS + " looks: " + events.subList(events.size() - 10, events.size()));
    }

    private void look(SimulatedCluster cluster) {
        HengeStep step = planner.step(state, cluster.observe(LOOK_MS));
        state = step.state();
        events.addAll(step.events());
        step.plan().ifPresent(plan -> {
            plans.add(plan);
            plan.changes().forEach((id, change) -> assertPlacesEveryTaskOnce(cluster.topologies.get(id), change));
            // The next observation refuses a cluster in which two topologies share a slot.
            cluster.apply(plan);
        });
    }

    /** A reduction makes room on the machines: then what did not help may be tried again. */
    private void assertNothingIsTriedTwiceWithoutAReduction() {
        Set<String> tried = new HashSet<>();
        for (HengePlan plan : plans) {
            if (plan.action() == Action.REDUCTION) {
                tried.clear();
            }
            if (plan.action() == Action.RELOCATION || plan.action() == Action.SWITCH) {
                assertTrue(tried.add(plan.action() + plan.diagnosis()), () -> "tried twice: " + plan.diagnosis());
            }
            if (plan.action() == Action.RECONFIGURATION) {
                plan.changes().forEach((id, change) -> assertTrue(tried.add(id + change.executors()),
                    () -> id + " got the same executors twice: " + change.executors()));
            }
        }
    }

    private static void assertPlacesEveryTaskOnce(SimulatedTopology topology, TopologyChange change) {
        int next = 1;
        for (ExecutorId executor : change.placement().keySet()) {
            assertEquals(next, executor.firstTask());
            next = executor.lastTask() + 1;
        }
        assertEquals(topology.graph.size() * SimulatedTopology.TASKS, next - 1);
    }

    private void assertStaysConverged(SimulatedCluster cluster) {
        int steps = plans.size();
        for (int i = 0; i < 50; i++) {
            look(cluster);
            assertTrue(state.converged(), () -> events.get(events.size() - 1).toString());
        }
        assertEquals(steps, plans.size());
    }

    /**
     * A random cluster with two machines for each topology. With an even seed they have little room, so that executors of one topology slow
     * down those of others.
     */
    private static SimulatedCluster cluster(long seed, int topologies) {
        Random random = new Random(seed);
        SimulatedCluster cluster = new SimulatedCluster(seed, NOISE);
        for (int i = 0; i < 2 * topologies; i++) {
            cluster.machine("m%03d".formatted(i), 4, seed % 2 == 0 ? 1 : 4);
        }
        for (int i = 0; i < topologies; i++) {
            List<Slot> slots = List.of(new Slot("m%03d".formatted(2 * i), 6700), new Slot("m%03d".formatted(2 * i + 1), 6700));
            String id = "t%03d".formatted(i);
            double inputPerSec = 50 + random.nextInt(250);
            double[] workMs = random.doubles(6, 0.5, 6).toArray();
            SimulatedTopology topology = switch (i % 3) {
                case 0 -> SimulatedTopology.pageLoad(id, slo(random, i), inputPerSec, workMs);
                case 1 -> SimulatedTopology.linear(id, slo(random, i), inputPerSec, workMs);
                default -> SimulatedTopology.diamond(id, slo(random, i), inputPerSec, workMs);
            };
            cluster.add(topology.on(slots, 1 + random.nextInt(4)));
        }
        return cluster;
    }

    private static Slo slo(Random random, int number) {
        Map<SloMetric, Double> thresholds = switch (number % 4) {
            case 0 -> Map.of(SloMetric.JUICE, 1.0);
            case 1 -> Map.of(SloMetric.JUICE, 0.95, SloMetric.LATENCY_MS, 60.0);
            default -> Map.of(SloMetric.LATENCY_MS, 20.0 + random.nextInt(40));
        };
        return Slo.of(thresholds, LatencyStatistic.named("p99"), number % 10 == 0 ? 100 : 35, "knee");
    }
}
