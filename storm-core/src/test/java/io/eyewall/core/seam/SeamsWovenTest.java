package io.eyewall.core.seam;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.core.QuickCluster;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.ExecutorTransfer;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.Test;

/**
 * Runs a topology in two workers of a local cluster and counts how often each seam is reached. An unwoven storm-client leaves every count
 * at zero; a seam that upstream moved leaves its own count wrong.
 */
class SeamsWovenTest {

    private static final long WORKERS = 2;
    private static final long SPOUTS = 2;
    private static final long BOLTS = 3;
    private static final long LAST = 1;
    private static final long ACKERS = 1;
    private static final int FEW = 10;
    private static final int RUNS = 20_000;
    private static final List<Object> WORD = List.of("word1");
    /** The array of upstream's list takes 32 bytes more, and the copy of what is added to it another 24. */
    private static final double LESS_THAN_A_LARGER_LIST_BYTES = 16;
    /** Spouts, bolts and ackers once; the system bolt once in every worker. */
    private static final long EXECUTORS = SPOUTS + BOLTS + LAST + ACKERS + WORKERS;

    /** Where a list is put so that it cannot be optimized away. */
    @SuppressWarnings("UnusedVariable")
    private static volatile List<Integer> kept;

    @Test
    void shouldReachEverySeamWhenATopologyRuns() throws Exception {
        CountingFeature.REACHED.clear();
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new Words(Integer.MAX_VALUE), SPOUTS);
        topology.setBolt("sink", new Sink(), BOLTS).fieldsGrouping("words", new Fields("word"));
        topology.setBolt("last", new Sink(), LAST).shuffleGrouping("sink");
        Config conf = new Config();
        conf.setNumWorkers((int) WORKERS);
        conf.setNumAckers((int) ACKERS);
        conf.setMaxSpoutPending(100);
        conf.put(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 600);
        // Statistics allocate.
        conf.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 0.001);
        // Upstream's collectors, into which probes are woven.
        conf.put(EngineConfiguration.ACKING, EngineConfiguration.ACKER);

        try (LocalCluster cluster = QuickCluster.of((int) WORKERS)) {
            cluster.submitTopology("seams", conf, topology.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> CountingFeature.reached("executor-probe: completed") > 0
                && CountingFeature.reached("executor-probe: failed") > 0
                && CountingFeature.reached("bolt-collector") == EXECUTORS - SPOUTS);
        }

        Map<String, Long> reached = new TreeMap<>();
        CountingFeature.REACHED.forEach((seam, count) -> reached.put(seam, count.sum()));
        reached.keySet().removeIf(seam -> seam.contains("__ack"));
        reached.remove("receive queue: overflowing"); // Only where a queue is full by chance; it has a test of its own.
        Set<String> perTuple = reached.keySet().stream().filter(seam -> seam.contains(": ")).collect(Collectors.toSet());
        reached.keySet().removeAll(perTuple);
        assertEquals(new TreeMap<>(Map.ofEntries(
            Map.entry("worker-lifetime (open)", WORKERS),
            Map.entry("worker-lifetime (close)", WORKERS),
            Map.entry("receive-queue", EXECUTORS),
            Map.entry("grouping of words, stream default", SPOUTS),
            Map.entry("grouping of sink, stream default, to one task", BOLTS),
            Map.entry("task-object", EXECUTORS),
            Map.entry("executor (spout)", SPOUTS),
            Map.entry("executor (bolt)", EXECUTORS - SPOUTS),
            Map.entry("executor-loop", EXECUTORS),
            Map.entry("task-metrics", EXECUTORS),
            Map.entry("serializer-of-thread", EXECUTORS),
            Map.entry("pending-emits", EXECUTORS), Map.entry("pending-messages", SPOUTS),
            Map.entry("spout-collector", SPOUTS),
            Map.entry("bolt-collector", EXECUTORS - SPOUTS),
            Map.entry("transfer-queue", WORKERS),
            Map.entry("worker-transfer", WORKERS),
            Map.entry("outbound-tasks", WORKERS),
            Map.entry("received-message", WORKERS),
            Map.entry("receiver", WORKERS))), reached);
        assertEquals(Set.of("executor-probe: root emitting", "executor-probe: anchoring", "executor-probe: emitted",
            "executor-probe: emitting", "executor-probe: executing", "executor-probe: executed", "executor-probe: acking",
            "executor-probe: completed", "executor-probe: failed", "receive queue: inserting", "transfer queue: inserting",
            "transfer queue: taken", "outgoing-tasks: taken", "tuple-wire: writing", "tuple-wire: written", "tuple-wire: reading",
            "tuple-wire: mark read", "worker-change: starting", "worker-change: started", "worker-change: is possible",
            "worker-change: refresh", "worker-change: flushed", "worker-change: status", "worker-change: ticks"),
            perTuple);
        // Less than a list of the default size takes, as soon as what else the way to it allocates is compiled away.
        await().atMost(Duration.ofMinutes(2)).until(() ->
            bytesOf(SeamsWovenTest::outgoingTasks) < bytesOf(SeamsWovenTest::listOfOne) + LESS_THAN_A_LARGER_LIST_BYTES);
    }

    /** The bytes that one run allocates in the mean, once it has run often. */
    private static double bytesOf(Supplier<List<Integer>> tasks) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 2 * RUNS; i++) {
            before = i == RUNS ? threads.getCurrentThreadAllocatedBytes() : before;
            kept = tasks.get();
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / (double) RUNS;
    }

    private static List<Integer> listOfOne() {
        List<Integer> tasks = new ArrayList<>(1);
        tasks.add(1);
        return tasks;
    }

    /** As an executor asks at every emit; those of this topology have ended. */
    private static List<Integer> outgoingTasks() {
        return CountingFeature.TASKS.get("words").getOutgoingTasks("default", WORD);
    }

    @Test
    void shouldDeliverWhatAnotherWorkerSendsWhenTheProducersBatchIsNotFull() throws Exception {
        Sink.EXECUTED.set(0);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new Words(FEW));
        topology.setBolt("sink", new Sink(), WORKERS).allGrouping("words");
        Config conf = new Config();
        conf.setNumWorkers((int) WORKERS);
        conf.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, 100);
        // Upstream ends the process if a timer fires while a worker closes it, which one that fires every millisecond does now and then.
        conf.put(Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS, 500);
        try (LocalCluster cluster = QuickCluster.of((int) WORKERS)) {
            cluster.submitTopology("few", conf, topology.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> Sink.EXECUTED.get() == FEW * WORKERS);
        }
    }

    /** The calls leave no trace of themselves while a topology runs, so their names are looked for in the woven classes. */
    @Test
    void shouldNoteQueuesForTheNextFlushAndInsertGroupsByWovenCalls() throws IOException {
        assertTrue(names(ExecutorTransfer.class).contains("noteForFlush"));
        assertTrue(names(WorkerState.class).contains("insertGroups"));
    }

    private static String names(Class<?> type) throws IOException {
        try (InputStream woven = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return new String(woven.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void shouldReportAnElementThatIsKeptBesideAFullQueue() {
        JCQueue queue = new JCQueue("in", "in", 2, 0, 1, new WaitStrategyPark(), "topology-1", "sink", List.of(1), 6700,
            new StormMetricRegistry());
        ((ProbedQueue) queue).addEyewallProbe(new CountingProbe("full queue"));
        long before = CountingFeature.reached("full queue: overflowing");
        queue.tryPublishToOverflow("element");
        assertEquals(before + 1, CountingFeature.reached("full queue: overflowing"));
        assertEquals(0, CountingFeature.reached("full queue: inserting"));
        queue.close();
    }

    /** Emits what it executes to nobody, and fails every third tuple. */
    public static final class Sink extends BaseRichBolt {

        private static final AtomicLong EXECUTED = new AtomicLong();

        private transient OutputCollector collector;
        private long executed;

        @Override
        public void prepare(Map<String, Object> topologyConf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void execute(Tuple input) {
            executed++;
            EXECUTED.incrementAndGet();
            collector.emit(input, input.getValues());
            if (executed % 3 == 0) {
                collector.fail(input);
            } else {
                collector.ack(input);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Emits so many words, one after the other, each as a message of its own. */
    public static final class Words extends BaseRichSpout {

        private final int words;
        private transient SpoutOutputCollector collector;
        private long emitted;

        Words(int words) {
            this.words = words;
        }

        @Override
        public void open(Map<String, Object> topologyConf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void nextTuple() {
            if (emitted < words) {
                collector.emit(List.of("word" + emitted % 10), emitted++);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }
}
