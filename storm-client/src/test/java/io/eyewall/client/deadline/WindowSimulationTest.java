package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.DeadlineHolder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.TupleFieldTimestampExtractor;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One core in simulated time, on which urgent messages and tuples of windows come in at random, and the more urgent executor runs. If the
 * tuples of windows wait for the ends of their windows, fewer urgent messages are late, and each tuple is still in its window.
 */
class WindowSimulationTest {

    private static final int SEEDS = 40;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SLIDE_NS = 1_000 * MS;
    private static final long TARGET_NS = 20 * MS;
    private static final long OTHERS_NS = 60 * MS;
    private static final long COST_NS = MS;
    private static final int WINDOWS = 8;
    private static final int URGENT_A_WINDOW = 300;
    private static final int BULK_A_WINDOW = 500;

    /** What is known of the windows. */
    private enum Known {
        NOTHING, FIRINGS, TIMES
    }

    @ParameterizedTest
    @EnumSource(names = {"FIRINGS", "TIMES"})
    void shouldLetUrgentMessagesGoBeforeTuplesWhoseWindowIsNotOver(Known known) throws InterruptedException {
        int lateBefore = 0;
        int late = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Run before = new Run(seed, Known.NOTHING);
            before.run();
            Run now = new Run(seed, known);
            now.run();
            assertEquals(before.executed, now.executed, "no tuple is left");
            assertEquals(0, now.inALaterWindow, "seed " + seed);
            lateBefore += before.late;
            late += now.late;
        }
        assertTrue(lateBefore > 100 && late < lateBefore / 2, late + " urgent messages are late, and without windows " + lateBefore);
    }

    /** What comes in, for an executor. */
    private record Arrival(long atNs, Worked executor) {
    }

    /** An executor. */
    private static final class Worked {
        final Deque<AddressedTuple> input = new ArrayDeque<>();
        final Deque<Long> cameNs = new ArrayDeque<>();
        final Urgency urgency;

        Worked(Urgency urgency) {
            this.urgency = urgency;
        }
    }

    private static final class Run {
        private final TimedInput tuples = new TimedInput();
        private final PriorityQueue<Arrival> arrivals = new PriorityQueue<>((one, other) -> Long.compare(one.atNs, other.atNs));
        private final Deadlines deadlines;
        private final Worked urgent;
        private final Worked bulk;
        private final long[] nowNs = new long[1];
        private int executed;
        private int late;
        private int inALaterWindow;

        Run(int seed, Known known) {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("orders", new TestWordSpout()).addConfiguration(DeadlineConfiguration.TARGET, TARGET_NS / MS);
            builder.setSpout("clicks", new TestWordSpout());
            builder.setBolt("price", new TestWordCounter()).shuffleGrouping("orders");
            builder.setBolt("sums", new TestWordCounter()).shuffleGrouping("clicks")
                .addConfiguration(known != Known.NOTHING ? Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS : "none", SLIDE_NS / MS);
            deadlines = Deadlines.of(builder.createTopology(), Map.of(DeadlineConfiguration.OTHERS, OTHERS_NS / MS), () -> nowNs[0])
                .orElseThrow();
            urgent = new Worked(deadlines.of("price", tuples.newQueue("price")));
            JCQueue queue = tuples.newQueue("sums");
            bulk = new Worked(deadlines.of("sums", queue));
            if (known == Known.TIMES) {
                assertNotNull(deadlines.probe("sums", List.of(1), queue));
                deadlines.dated(1, TupleFieldTimestampExtractor.of("at"));
            }
            Random random = new Random(seed);
            for (int window = 0; window < WINDOWS; window++) {
                for (int i = 0; i < URGENT_A_WINDOW; i++) {
                    arrivals.add(new Arrival(window * SLIDE_NS + random.nextLong(SLIDE_NS), urgent));
                }
                long burstNs = window * SLIDE_NS + random.nextLong(SLIDE_NS / 4);
                for (int i = 0; i < BULK_A_WINDOW; i++) {
                    arrivals.add(new Arrival(burstNs + random.nextLong(SLIDE_NS / 8), bulk));
                }
            }
        }

        void run() throws InterruptedException {
            for (long window = 1; window <= WINDOWS; window++) {
                while (nowNs[0] < window * SLIDE_NS) {
                    arrive();
                    Worked next = next();
                    if (next == null) {
                        nowNs[0] = Math.min(window * SLIDE_NS, arrivals.isEmpty() ? Long.MAX_VALUE : arrivals.peek().atNs);
                    } else {
                        execute(next);
                    }
                }
                Thread timer = new Thread(bulk.urgency::currentNs); // It emits the results of the window.
                timer.start();
                timer.join();
            }
        }

        private void arrive() {
            while (!arrivals.isEmpty() && arrivals.peek().atNs <= nowNs[0]) {
                Arrival arrival = arrivals.poll();
                AddressedTuple tuple = tuples.datedTuple(deadlines.deadlineNs(
                    arrival.atNs - nowNs[0] + (arrival.executor == urgent ? TARGET_NS : OTHERS_NS), arrival.executor == urgent ? 0 : 1),
                    arrival.atNs / MS);
                arrival.executor.input.add(tuple);
                arrival.executor.cameNs.add(arrival.atNs);
                arrival.executor.urgency.arrived(tuple);
            }
        }

        private Worked next() {
            if (urgent.input.isEmpty() || bulk.input.isEmpty()) {
                return !urgent.input.isEmpty() ? urgent : bulk.input.isEmpty() ? null : bulk;
            }
            return urgent.urgency.beginNs() <= bulk.urgency.beginNs() ? urgent : bulk;
        }

        private void execute(Worked executor) {
            executor.urgency.turnBegins();
            AddressedTuple tuple = executor.input.poll();
            long cameNs = executor.cameNs.poll();
            executor.urgency.executing(tuple.getTuple());
            nowNs[0] += COST_NS;
            executed++;
            if (executor == urgent) {
                late += nowNs[0] > ((DeadlineHolder) tuple.getTuple()).getEyewallDeadlineNs() ? 1 : 0;
            } else {
                inALaterWindow += cameNs / SLIDE_NS < (nowNs[0] - COST_NS) / SLIDE_NS ? 1 : 0;
            }
            executor.urgency.turnEnds(!executor.input.isEmpty());
        }
    }
}
