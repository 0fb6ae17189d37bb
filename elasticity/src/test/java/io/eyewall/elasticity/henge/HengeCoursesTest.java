package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Slot;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to topologies with full queues while their load changes, in the simulation with queues. */
class HengeCoursesTest {

    private static final int SEEDS = 10;
    private static final int MACHINES = 4;
    private static final double CORES = 16;
    private static final int SPIKE_SECS = 180;
    private static final double TIGHT_CORES = 11;
    private static final int SEARCHES = 4;
    private static final int WINDOW_SECS = 120;
    private static final int SWING_SECS = 600;
    private static final int MAX_SECS = 3_000;
    private static final double NOISE = 0.02;
    /** The load of an executor with which a topology meets its SLO. */
    private static final double EASY = 0.5;
    /** The same for which an operator keeps up. */
    private static final double FULL = 0.8;

    static Stream<Arguments> seeds() {
        return IntStream.rangeClosed(1, SEEDS).boxed().flatMap(seed -> Stream.of(Arguments.of(seed, 20), Arguments.of(seed, 60)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldMeetItsSloAgainWhileThreeTimesAsMuchComes(int seed, int settleSecs) {
        QueueingCourse course = new QueueingCourse(meetingTheirSlo(seed), settleSecs).runUntilEnded(10 * settleSecs);
        assertTrue(course.isEnded(), "all meet their SLO from the beginning");
        assertEquals(List.of(), course.steps);
        SimulatedTopology topology = course.cluster.topologies.get("t0");

        topology.inputPerSec *= 3;
        int begin = course.secs();
        course.run(SPIKE_SECS);
        int end = course.secs();
        topology.inputPerSec /= 3;
        course.run(SPIKE_SECS);

        List<Double> utilities = course.cluster.utilities("t0");
        double max = topology.slo.maxUtility();
        double most = utilities.subList(begin, end).stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        System.out.printf(Locale.ROOT, "seed %d, %d s: the lowest utility is %.1f, steps %s%n", seed, settleSecs, most, course.steps);
        assertTrue(most < max / 2, "it misses its SLO at first");
        assertTrue(utilities.subList(end - 3 * QueueingCourse.LOOK_SECS, end).stream().allMatch(utility -> utility == max),
            () -> "utility at the end of the spike " + utilities.subList(end - 3 * QueueingCourse.LOOK_SECS, end));
        assertTrue(course.steps.stream().filter(step -> step.secs() <= end).noneMatch(step -> step.takesFrom("t0")),
            course.steps::toString);
        assertTrue(utilities.subList(end, course.secs()).stream().allMatch(utility -> utility == max), "and goes on to meet it");
    }

    /** Each new machine begins a search. It has no slots, so that nothing else changes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldNotTakeMoreThanTheBoundFromTopologiesWithoutAnSloInSeveralSearches(int seed) {
        QueueingCluster untouched = halfWithoutAnSlo(seed);
        QueueingCourse course = new QueueingCourse(halfWithoutAnSlo(seed), 20).runUntilEnded(MAX_SECS);
        for (int search = 2; search <= SEARCHES; search++) {
            course.cluster.machine("new" + search, 0, 1);
            course.run(WINDOW_SECS).runUntilEnded(MAX_SECS);
            untouched.observe(course.secs() - untouched.secs());

            assertEquals(search, course.searches());
            for (int i = 1; i < 2 * MACHINES; i += 2) {
                double left = course.cluster.throughputPerSec("t" + i, WINDOW_SECS) / untouched.throughputPerSec("t" + i, WINDOW_SECS);
                assertTrue(left >= 1 - HengeConfiguration.DEFAULT.othersBound(),
                    "after search " + search + " t" + i + " processes " + left + " of what it did: " + course.steps);
            }
        }
        System.out.printf(Locale.ROOT, "seed %d, half without an SLO: %s%n", seed, course.actions());
        assertTrue(course.percent(course.secs() - WINDOW_SECS, course.secs()) > course.percent(0, WINDOW_SECS), course.steps::toString);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldMeetAllSlosWhileTheLoadSwings(int seed) {
        QueueingCourse course = new QueueingCourse(meetingTheirSlo(seed), 20);
        double[] inputs = IntStream.range(0, MACHINES).mapToDouble(i -> course.cluster.topologies.get("t" + i).inputPerSec).toArray();
        while (course.secs() < MAX_SECS) {
            for (int i = 0; i < MACHINES; i++) {
                double wave = StrictMath.sin(2 * Math.PI * ((double) course.secs() / SWING_SECS + (double) i / MACHINES));
                course.cluster.topologies.get("t" + i).inputPerSec = inputs[i] * (1.4 + 0.6 * wave);
            }
            course.run(QueueingCourse.LOOK_SECS);
        }

        double last = course.percent(MAX_SECS - SWING_SECS, MAX_SECS);
        System.out.printf(Locale.ROOT, "seed %d, the load swings: %s in %d searches, utility %.1f %%, in the last swing %.1f %%%n", seed,
            course.actions(), course.searches(), course.percent(0, MAX_SECS), last);
        assertTrue(course.searches() > 2, "it does not search");
        assertTrue(last > 99, "utility in the last swing " + last + " %: " + course.steps);
        assertTrue(course.steps.stream().noneMatch(step -> step.secs() > MAX_SECS - SWING_SECS), course.steps::toString);
    }

    /** Topologies on machines that all of them share and that are nearly busy. Those with an SLO have too few executors. */
    private static QueueingCluster halfWithoutAnSlo(int seed) {
        Random random = new Random(seed);
        QueueingCluster cluster = new QueueingCluster(seed, NOISE);
        IntStream.range(0, MACHINES).forEach(machine -> cluster.machine("m" + machine, 8, TIGHT_CORES));
        for (int i = 0; i < 2 * MACHINES; i++) {
            boolean hasSlo = i % 2 == 0;
            SimulatedTopology topology = SimulatedTopology.pageLoad("t" + i, hasSlo ? QueueingCourse.latency(60) : null,
                200 + random.nextInt(200), random.doubles(6, 0.5, 6).toArray());
            cluster.add(topology.on(List.of(new Slot("m" + i % MACHINES, 6700 + i / MACHINES),
                new Slot("m" + (i + 1) % MACHINES, 6704 + i / MACHINES)),
                operator -> hasSlo ? 1 : Math.max(1, (int) Math.ceil(topology.load(operator) / FULL))));
        }
        return cluster;
    }

    /** Topologies on machines with room. */
    private static QueueingCluster meetingTheirSlo(int seed) {
        Random random = new Random(seed);
        QueueingCluster cluster = new QueueingCluster(seed, NOISE);
        IntStream.range(0, MACHINES).forEach(machine -> cluster.machine("m" + machine, 8, CORES));
        for (int i = 0; i < MACHINES; i++) {
            SimulatedTopology topology = SimulatedTopology.pageLoad("t" + i, QueueingCourse.latency(60), 200 + random.nextInt(200),
                random.doubles(6, 0.5, 6).toArray());
            cluster.add(topology.on(List.of(new Slot("m" + i, 6700), new Slot("m" + (i + 1) % MACHINES, 6701)),
                operator -> Math.max(1, (int) Math.ceil(topology.load(operator) / EASY))));
        }
        return cluster;
    }
}
