package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole loop in virtual time, with queues that fill and empty: topologies start with one executor an operator, which is too few. */
class HengeQueueingSimulationTest {

    private static final int SEEDS = Math.min(10, Integer.getInteger("eyewall.simulation.seeds", 4));
    private static final int SECS = 2_880;
    private static final int SMALL = 6;
    private static final int LARGE = 100;
    private static final int LONG_SECS = 3_600;
    private static final int MINUTES = 300;
    private static final double NOISE = 0.02;
    /** The load of an executor with which no operator is congested. */
    private static final double ENOUGH = 0.25;
    /** By how many per cent points what clients see may differ from one time to another without a step. */
    private static final double SAME = 1;

    static IntStream seeds() {
        return IntStream.rangeClosed(1, SEEDS);
    }

    static Stream<Arguments> roomy() {
        return seeds().boxed().flatMap(seed -> Stream.of(Arguments.of(seed, 16, 20), Arguments.of(seed, 8, 60)));
    }

    @ParameterizedTest
    @MethodSource("roomy")
    void shouldEndWithMoreUtilityAndTakeNoFurtherStepWhileQueuesFillAndEmpty(int seed, double cores, int settleSecs) {
        QueueingCourse course = new QueueingCourse(cluster(seed, cores, SMALL), settleSecs).runUntilEnded(SECS);

        assertEnded(course, "seed %d, %.0f cores, %d s".formatted(seed, cores, settleSecs));
    }

    @Test
    void shouldEndWithMoreUtilityAndTakeNoFurtherStepInALargeCluster() {
        QueueingCourse course = new QueueingCourse(cluster(1, 16, LARGE), 20).runUntilEnded(LONG_SECS);

        assertEnded(course, LARGE + " topologies");
    }

    /** With a quarter of the cores, not all topologies can meet their SLO. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNotLoseUtilityWhereMachinesAreTooFew(int seed) {
        QueueingCourse course = new QueueingCourse(cluster(seed, 4, SMALL), 20).run(LONG_SECS);

        print(course, "seed %d, 4 cores, 20 s".formatted(seed));
        assertNothingIsTriedTwice(course);
        assertTrue(course.events.stream().anyMatch(event -> event.kind() == HengeEvent.Kind.CONVERGED), "the search has not ended");
        double last = course.percent(LONG_SECS - MINUTES, LONG_SECS);
        assertTrue(last > course.percent(0, MINUTES), "at the end " + last + " %, at first " + course.percent(0, MINUTES) + " %");
    }

    private static void assertEnded(QueueingCourse course, String what) {
        int end = course.secs();
        assertTrue(course.isEnded(), () -> what + ": not after " + end + " s: " + course.steps);
        int steps = course.steps.size();
        // What still waits leaves in this time.
        course.run(2 * MINUTES);
        print(course, what + ", end after " + end + " s");

        assertEquals(steps, course.steps.size(), () -> what + ", after the end: " + course.steps.subList(steps, course.steps.size()));
        assertNothingIsTriedTwice(course);
        double first = course.percent(0, MINUTES);
        double last = course.percent(course.secs() - MINUTES, course.secs());
        assertTrue(last > first, what + ": at the end " + last + " %, at first " + first + " %");
        double atEnd = course.percent(end - QueueingCourse.LOOK_SECS, end);
        assertTrue(last > atEnd - SAME, what + ": some minutes after the end " + last + " %, at the end " + atEnd + " %");
    }

    private static void print(QueueingCourse course, String what) {
        System.out.printf(Locale.ROOT, "%s: %s, utility %.1f %% in the first minutes, %.1f %% in the last ones%n", what, course.actions(),
            course.percent(0, MINUTES), course.percent(course.secs() - MINUTES, course.secs()));
    }

    /** A reduction makes room on the machines: then the same may be tried again, as in another search. */
    private static void assertNothingIsTriedTwice(QueueingCourse course) {
        Set<String> tried = new HashSet<>();
        for (QueueingCourse.Taken step : course.steps) {
            if (step.plan().action() == Action.REDUCTION) {
                tried.clear();
            }
            if (step.plan().action() == Action.RECONFIGURATION) {
                String diagnosis = step.plan().diagnosis();
                step.plan().changes().forEach((id, change) -> assertTrue(tried.add(step.search() + diagnosis + id + change.executors()),
                    () -> id + " got the same executors twice: " + change.executors() + " against " + diagnosis));
            }
        }
    }

    /**
     * Two machines for each topology, on which it has one executor for each operator; in the large cluster
     * three of four have enough.
     */
    private static QueueingCluster cluster(long seed, double cores, int topologies) {
        Random random = new Random(seed);
        QueueingCluster cluster = new QueueingCluster(seed, NOISE);
        for (int i = 0; i < 2 * topologies; i++) {
            cluster.machine("m%03d".formatted(i), 4, cores);
        }
        for (int i = 0; i < topologies; i++) {
            double inputPerSec = 300 + random.nextInt(400);
            double[] workMs = random.doubles(6, 0.5, 8).toArray();
            String id = "t%02d".formatted(i);
            SimulatedTopology topology = switch (i % 3) {
                case 0 -> SimulatedTopology.pageLoad(id, slo(i), inputPerSec, workMs);
                case 1 -> SimulatedTopology.linear(id, slo(i), inputPerSec, workMs);
                default -> SimulatedTopology.diamond(id, slo(i), inputPerSec, workMs);
            };
            boolean isEnough = i % 4 != 0 && topologies == LARGE;
            cluster.add(topology.on(List.of(new Slot("m%03d".formatted(2 * i), 6700), new Slot("m%03d".formatted(2 * i + 1), 6700)),
                operator -> isEnough ? enough(topology.load(operator)) : 1));
        }
        return cluster;
    }

    private static int enough(double load) {
        return Math.min(SimulatedTopology.TASKS, Math.max(1, (int) Math.ceil(load / ENOUGH)));
    }

    private static Slo slo(int number) {
        Map<SloMetric, Double> thresholds = switch (number % 4) {
            case 0 -> Map.of(SloMetric.JUICE, 1.0);
            case 1 -> Map.of(SloMetric.JUICE, 0.95, SloMetric.LATENCY_MS, 60.0);
            default -> Map.of(SloMetric.LATENCY_MS, 60.0);
        };
        return Slo.of(thresholds, LatencyStatistic.MEAN, 35, "knee");
    }
}
