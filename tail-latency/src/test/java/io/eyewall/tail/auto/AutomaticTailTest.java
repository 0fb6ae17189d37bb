package io.eyewall.tail.auto;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.settings.tail.TailConfiguration;
import io.eyewall.core.QuickCluster;
import io.eyewall.tail.Numbers;
import io.eyewall.tail.recording.ObservedFeature;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

/** A topology of one worker that keeps three executors of one bolt busy until their queue is switched to a shared one. */
class AutomaticTailTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int PENDING = 30;
    private static final int EXECUTORS = 3;
    private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(4);
    /** How many messages come after it was switched. */
    private static final int MORE = 500;

    @Test
    void shouldShareTheQueueOfABusyBoltWhileItRunsAndAckEachMessageOnce() throws Exception {
        ObservedFeature.METRICS.clear();
        Numbers.begin(Integer.MAX_VALUE);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers());
        topology.setBolt("work", new Work(), EXECUTORS).shuffleGrouping("numbers");
        Config conf = new Config();
        conf.setNumWorkers(1);
        conf.setNumAckers(1);
        conf.setMaxSpoutPending(PENDING);
        conf.setMessageTimeoutSecs((int) DEADLINE.multipliedBy(5).toSeconds());
        conf.put(TailConfiguration.TAIL_LATENCY, "auto");
        conf.put(BalancingConfiguration.PERIOD_SECS, 1);

        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("busy", conf, topology.createTopology());
            await().atMost(DEADLINE).until(() -> gauge("work\\..*tail-shared-queue") == 1);
            Numbers.endAfter(MORE);
            await().atMost(DEADLINE).until(Numbers::areAllAcked);
        }

        assertTrue(Numbers.isEachAckedOnce());
    }

    private static int gauge(String name) {
        return ObservedFeature.METRICS.stream()
            .flatMap(metrics -> metrics.getRegistry().getGauges((each, gauge) -> each.matches(".*" + name)).values().stream())
            .mapToInt(gauge -> (Integer) ((Gauge<?>) gauge).getValue()).findFirst().orElse(-1);
    }

    private static final class Work extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            LockSupport.parkNanos(WORK_NS);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
