package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workers that measure what their own operators cost, and tell each other: each learns what a tuple still costs over all of them. */
class CostExchangeTest {

    private static final int OPERATORS = 9;
    private static final int WORKERS = 3;
    private static final String SPOUT = "spout";

    static IntStream seeds() {
        return IntStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldLearnTheDearestPathOverAllWorkers(int seed) {
        Random random = new Random(seed);
        List<Set<Integer>> receivers = graph(random, false);
        List<Integer> costsNs = random.ints(OPERATORS, 1, 1_000).boxed().toList();
        List<Set<Integer>> homes = homes(random);
        List<Deadlines> workers = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            workers.add(deadlines(receivers, random));
        }
        for (int round = 0; round <= OPERATORS; round++) { // A cost goes one hop a round at least.
            measure(workers, homes, costsNs, random);
            exchange(workers, random);
        }
        for (int operator = 0; operator < OPERATORS; operator++) {
            for (int worker : homes.get(operator)) {
                assertEquals(dearestNs(operator, receivers, costsNs), remainingNs(workers.get(worker), operator),
                    "from operator " + operator + " on, in worker " + worker);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNotCountACircleMoreThanOnceWhereverItsOperatorsAre(int seed) {
        Random random = new Random(seed);
        List<Set<Integer>> receivers = graph(random, true);
        List<Integer> costsNs = random.ints(OPERATORS, 1, 1_000).boxed().toList();
        List<Set<Integer>> homes = homes(random);
        List<Deadlines> workers = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            workers.add(deadlines(receivers, random));
        }
        for (int round = 0; round < 10 * OPERATORS; round++) {
            measure(workers, homes, costsNs, random);
            exchange(workers, random);
        }
        long all = costsNs.stream().mapToLong(Integer::longValue).sum();
        for (Deadlines worker : workers) {
            for (int operator = 0; operator < OPERATORS; operator++) {
                assertTrue(remainingNs(worker, operator) <= all, "operator " + operator + " costs " + remainingNs(worker, operator));
            }
        }
    }

    @Test
    void shouldKeepWhatItMeasuresAndNotBelieveWhatCannotBe() {
        List<Set<Integer>> chain = List.of(Set.of(1), Set.of(2), Set.of());
        Deadlines worker = deadlines(chain, new Random(1));
        worker.executed(worker.operator(name(2)), 50);
        Map<Integer, Double> own = worker.report();
        assertEquals(1, own.size());
        assertEquals(50.0, own.values().iterator().next());

        int key = own.keySet().iterator().next();
        worker.learn(Map.of(key, 1_000.0));
        assertEquals(50, remainingNs(worker, 2));
        Deadlines other = deadlines(chain, new Random(2));
        for (double wrong : new double[] {Double.NaN, -1, Double.NEGATIVE_INFINITY}) {
            other.learn(Map.of(key, wrong));
            assertEquals(0, remainingNs(other, 2));
        }
        other.learn(Map.of(key, 7.0, 3, 0.5, Integer.MAX_VALUE, 1.0, Integer.MIN_VALUE, 1.0));
        assertEquals(7, remainingNs(other, 2));
        assertEquals(Map.of(), other.report(), "only what is measured here is reported");
        other.learn(Map.of(key, Double.POSITIVE_INFINITY));
        assertEquals(86_400_000_000_000L, remainingNs(other, 2), "a day");
    }

    private static void measure(List<Deadlines> workers, List<Set<Integer>> homes, List<Integer> costsNs, Random random) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, OPERATORS).boxed().toList());
        Collections.shuffle(order, random);
        for (int operator : order) {
            homes.get(operator).forEach(worker ->
                workers.get(worker).executed(workers.get(worker).operator(name(operator)), costsNs.get(operator)));
        }
    }

    /** Each worker learns what all others have reported before. */
    private static void exchange(List<Deadlines> workers, Random random) {
        List<Map<Integer, Double>> reports = workers.stream().map(Deadlines::report).toList();
        List<Integer> order = new ArrayList<>(IntStream.range(0, WORKERS).boxed().toList());
        Collections.shuffle(order, random);
        for (int learner : order) {
            Map<Integer, Double> all = new HashMap<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                if (worker != learner) {
                    reports.get(worker).forEach((key, cost) -> all.merge(key, cost, Math::max));
                }
            }
            workers.get(learner).learn(all);
        }
    }

    private static long dearestNs(int operator, List<Set<Integer>> receivers, List<Integer> costsNs) {
        return costsNs.get(operator)
            + receivers.get(operator).stream().mapToLong(next -> dearestNs(next, receivers, costsNs)).max().orElse(0);
    }

    /** Which operators each operator sends to. Operator 0 is the spout, and reaches all. */
    private static List<Set<Integer>> graph(Random random, boolean circles) {
        List<Set<Integer>> receivers = new ArrayList<>();
        for (int operator = 0; operator < OPERATORS; operator++) {
            receivers.add(new HashSet<>());
        }
        for (int operator = 1; operator < OPERATORS; operator++) {
            receivers.get(random.nextInt(operator)).add(operator);
            for (int more = random.nextInt(3); more > 0; more--) {
                int sender = circles ? random.nextInt(OPERATORS) : random.nextInt(operator);
                receivers.get(sender).add(operator);
            }
        }
        return receivers;
    }

    /** The workers of each operator. */
    private static List<Set<Integer>> homes(Random random) {
        List<Set<Integer>> homes = new ArrayList<>();
        for (int operator = 0; operator < OPERATORS; operator++) {
            homes.add(new HashSet<>(List.of(random.nextInt(WORKERS), random.nextBoolean() ? 0 : WORKERS - 1)));
        }
        return homes;
    }

    /** The deadlines of one worker; the bolts of its topology come in another order than in other workers. */
    private static Deadlines deadlines(List<Set<Integer>> receivers, Random random) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new TestWordSpout());
        List<Integer> order = new ArrayList<>(IntStream.range(1, receivers.size()).boxed().toList());
        Collections.shuffle(order, random);
        for (int operator : order) {
            BoltDeclarer bolt = builder.setBolt(name(operator), new TestWordCounter());
            for (int sender = 0; sender < receivers.size(); sender++) {
                if (receivers.get(sender).contains(operator)) {
                    bolt.shuffleGrouping(name(sender));
                }
            }
        }
        StormTopology topology = builder.createTopology();
        return Deadlines.of(topology, Map.of(DeadlineConfiguration.TARGET, 20), () -> 0).orElseThrow();
    }

    private static String name(int operator) {
        return operator == 0 ? SPOUT : "bolt-" + operator;
    }

    private static long remainingNs(Deadlines deadlines, int operator) {
        return deadlines.remainingNs(deadlines.operator(name(operator)));
    }
}
