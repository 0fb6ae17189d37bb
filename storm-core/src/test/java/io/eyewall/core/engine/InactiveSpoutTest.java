package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.CapturedLog;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.Level;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Time;
import org.junit.jupiter.api.Test;

/** A spout that shares threads, and whose topology is deactivated: Storm lets its executor sleep. */
class InactiveSpoutTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    /** Longer than a spout is outside the pool at first, and than the watcher takes to find a call. */
    private static final long SETTLED_MS = 3_000;

    private static final AtomicLong CALLS = new AtomicLong();
    private static final AtomicBoolean INACTIVE = new AtomicBoolean();

    @Test
    void shouldNotBeSaidToBlock() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new Quick());
        builder.setBolt("counts", new TestWordCounter()).shuffleGrouping("words");
        Config conf = new Config();
        conf.put(EngineConfiguration.EXECUTOR_THREADS, EngineConfiguration.POOL);
        conf.setNumAckers(0);
        Class<?> pool = Class.forName("io.eyewall.client.pool.ExecutorPool");
        try (CapturedLog log = new CapturedLog(Level.INFO, pool); LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("inactive", conf, builder.createTopology());
            await().atMost(DEADLINE).until(() -> CALLS.get() > 1_000);
            TimeUnit.MILLISECONDS.sleep(SETTLED_MS);
            long emitting = CALLS.get();
            await().atMost(DEADLINE).until(() -> CALLS.get() > emitting);

            cluster.deactivate("inactive");
            await().atMost(DEADLINE).untilTrue(INACTIVE);
            TimeUnit.MILLISECONDS.sleep(SETTLED_MS);
            assertEquals(List.of(), log.lines().stream().filter(line -> line.contains(Time.class.getName())).toList());

            long inactive = CALLS.get();
            cluster.activate("inactive");
            await().atMost(DEADLINE).until(() -> CALLS.get() > inactive);
        }
    }

    /** Emits nothing. */
    private static final class Quick extends TestWordSpout {

        private static final long serialVersionUID = 1L;

        @Override
        public void nextTuple() {
            CALLS.incrementAndGet();
        }

        @Override
        public void deactivate() {
            INACTIVE.set(true);
        }
    }
}
