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

/** What happens to topologies with full queues while their load changes, in the simulation with queues. */
class HengeCoursesTest {

    private static final int SEEDS = 10;
    private static final int MACHINES = 4;
    private static final double CORES = 16;
    private static final int SPIKE_SECS = 180;
    private static final double NOISE = 0.02;
    /** The load of an executor with which a topology meets its SLO. */
    private static final double EASY = 0.5;

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
