package io.eyewall.elasticity.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.TopologyGraph;
import io.eyewall.elasticity.slo.Juice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The juice of topologies in which nothing waits, when only one tuple in twenty is counted. */
class SampledCountersPropertyTest {

    private static final int BLOCK = 20;
    private static final int PERIOD_SECS = 10;
    private static final int PERIODS = 20;
    private static final double EXACTLY = 1e-9;
    private static final String DEFAULT = "default";

    @Property(tries = 500)
    void shouldBeOneWhenCountersAreRoundedToTheSample(@ForAll @IntRange(min = 2, max = 8) int operators, @ForAll long seed) {
        Random random = new Random(seed);
        double[] perSec = random.doubles(operators, 0.1, random.nextBoolean() ? 5 : 1_000).toArray();
        // How far the sender and the receiver of each link are in their blocks at the beginning.
        int[] sentBefore = random.ints(operators, 0, BLOCK).toArray();
        int[] executedBefore = random.ints(operators, 0, BLOCK).toArray();
        RateMeter meter = new RateMeter();
        for (int period = 0; period <= PERIODS; period++) {
            long timeMs = 1_000L * PERIOD_SECS * period;
            for (int i = 0; i < operators; i++) {
                long executed = i == 0 ? 0 : rounded(perSec[i - 1], timeMs, executedBefore[i - 1]);
                record(meter, i, timeMs, Map.of(DEFAULT, rounded(perSec[i], timeMs, sentBefore[i])),
                    i == 0 ? Map.of() : Map.of(new Input(name(i - 1), DEFAULT), executed));
            }
        }

        assertEquals(1, juice(meter, chain(operators)), EXACTLY);
    }

    @Property(tries = 200)
    void shouldNotHideTuplesThatWait(@ForAll @IntRange(min = 1, max = 5_000) int perSec,
            @ForAll @IntRange(min = 0, max = 99) int percent) {
        RateMeter meter = new RateMeter();
        for (int period = 0; period <= PERIODS; period++) {
            long timeMs = 1_000L * PERIOD_SECS * period;
            record(meter, 0, timeMs, Map.of(DEFAULT, rounded(perSec, timeMs, 0)), Map.of());
            record(meter, 1, timeMs, Map.of(), Map.of(new Input(name(0), DEFAULT), rounded(perSec * percent / 100.0, timeMs, 0)));
        }
        double sent = perSec * PERIODS * PERIOD_SECS;
        // Three standard deviations are 49 tuples, and rounding hides up to 19 more.
        Assume.that(sent * (100 - percent) / 100 > 49 + BLOCK);

        assertEquals(percent / 100.0, juice(meter, chain(2)), BLOCK / (sent - BLOCK));
    }

    @Test
    void shouldNearlyAlwaysBeOneWhenStreamsShareStormsSampler() {
        int tries = 200;
        long ones = IntStream.range(0, tries).filter(seed -> Math.abs(juiceOfJoin(new Random(seed)) - 1) < EXACTLY).count();

        // Three links, each outside three standard deviations in 0.3 % of the cases.
        assertTrue(ones >= 0.97 * tries, ones + " of " + tries);
    }

    /** Two spouts, which also start trees of tuples, send to a bolt that executes everything. */
    private static double juiceOfJoin(Random random) {
        TopologyGraph graph = new TopologyGraph("t", IntStream.range(0, 3).mapToObj(SampledCountersPropertyTest::component).toList(),
            List.of(new Link(name(0), DEFAULT, name(2), 1), new Link(name(0), "other", name(2), 1),
                new Link(name(1), DEFAULT, name(2), 1)));
        RateMeter meter = new RateMeter();
        List<Sampler> samplers = IntStream.range(0, 3).mapToObj(each -> new Sampler(random)).toList();
        Map<String, Long> first = new HashMap<>();
        Map<String, Long> second = new HashMap<>();
        Map<Input, Long> executed = new HashMap<>();
        for (int period = 0; period <= PERIODS; period++) {
            for (int tuple = 0; period > 0 && tuple < PERIOD_SECS * 20; tuple++) {
                String stream = random.nextInt(4) == 0 ? "other" : DEFAULT;
                samplers.get(0).count(first, stream);
                samplers.get(0).count(first, "__ack_init");
                samplers.get(2).count(executed, new Input(name(0), stream));
                if (tuple % 5 == 0) {
                    samplers.get(1).count(second, DEFAULT);
                    samplers.get(1).count(second, "__ack_init");
                    samplers.get(2).count(executed, new Input(name(1), DEFAULT));
                }
            }
            long timeMs = 1_000L * PERIOD_SECS * period;
            record(meter, 0, timeMs, first, Map.of());
            record(meter, 1, timeMs, second, Map.of());
            record(meter, 2, timeMs, Map.of(), executed);
        }
        return juice(meter, graph);
    }

    private static double juice(RateMeter meter, TopologyGraph graph) {
        List<ExecutorId> executors = IntStream.range(0, graph.size()).mapToObj(SampledCountersPropertyTest::executor).toList();
        return new Juice(graph, meter.rates(graph, executors, 1_000L * PERIOD_SECS * PERIODS)).ofTopology().orElseThrow();
    }

    private static TopologyGraph chain(int operators) {
        List<Link> links = new ArrayList<>();
        for (int i = 1; i < operators; i++) {
            links.add(new Link(name(i - 1), DEFAULT, name(i), 1));
        }
        return new TopologyGraph("t", IntStream.range(0, operators).mapToObj(SampledCountersPropertyTest::component).toList(), links);
    }

    private static void record(RateMeter meter, int operator, long timeMs, Map<String, Long> emitted, Map<Input, Long> executed) {
        meter.record(new ExecutorCounters(executor(operator), timeMs, timeMs, emitted, executed, 0, 1.0 / BLOCK));
    }

    private static long rounded(double perSec, long ms, int before) {
        return (before + (long) (perSec * ms / 1_000)) / BLOCK * BLOCK;
    }

    private static Component component(int operator) {
        return new Component(name(operator), operator, operator);
    }

    private static ExecutorId executor(int operator) {
        return new ExecutorId("t", operator, operator);
    }

    private static String name(int operator) {
        return "op" + operator;
    }

    /** Counts a random tuple of each twenty for all of them, as Storm does. */
    private static final class Sampler {

        private final Random random;
        private int position = -1;
        private int target;

        Sampler(Random random) {
            this.random = random;
            target = random.nextInt(BLOCK);
        }

        <K> void count(Map<K, Long> counts, K key) {
            position++;
            if (position >= BLOCK) {
                position = 0;
                target = random.nextInt(BLOCK);
            }
            if (position == target) {
                counts.merge(key, (long) BLOCK, Long::sum);
            }
        }
    }
}
