package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.CapturedLog;
import io.eyewall.core.QuickCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.Node;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A spout fills the queue of a bolt's task in another worker; upstream's timer would look for room there once an hour. */
class HeldBackSpoutTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    /** How often it is held back and goes on. */
    private static final int ROUNDS = 5;

    @AfterEach
    void letGo() {
        HeldTopology.letGo();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGoOnAsSoonAsNothingLiesBesideTheQueue(boolean overNetty) throws Exception {
        Config conf = HeldTopology.configuration();
        conf.setNumWorkers(2);
        conf.put(Config.TOPOLOGY_BACKPRESSURE_CHECK_MILLIS, Duration.ofHours(1).toMillis());
        Map<String, Object> daemonConf = Map.of(Config.STORM_LOCAL_MODE_ZMQ, overNetty);

        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(2).withPortsPerSupervisor(1)
                .withSupervisorSlotPortMin(QuickCluster.freePorts(2)).withDaemonConf(daemonConf).build()) {
            cluster.submitTopology("apart", conf, HeldTopology.ofBolts(2));
            assertTrue(emittedWhenHeldBack() > HeldTopology.ROOM, "held back although the queue has room");
            await().atMost(DEADLINE).until(() -> HeldTopology.PORTS.size() == 2);
            Class<?> connections = Class.forName("org.apache.storm.messaging.netty.Server");
            // Not before: a worker that starts sets levels back.
            try (CapturedLog all = new CapturedLog(Level.INFO, connections);
                 CapturedLog shipped = new CapturedLog(Level.INFO, shippedFilter(connections), connections)) {
                for (int round = 0; round < ROUNDS; round++) {
                    int emitted = emittedWhenHeldBack();
                    HeldTopology.letGo();
                    await().atMost(DEADLINE).until(() -> HeldTopology.EXECUTED.get() > emitted + HeldTopology.ROOM);
                    HeldTopology.hold();
                }
                assertEquals(2, HeldTopology.PORTS.size(), "workers with a task of the bolt");
                if (overNetty) {
                    LogManager.getLogger(connections).info("heard");
                    assertEquals(List.of("heard"), shipped.lines(), "what the shipped configuration lets into the log of its connections");
                    assertTrue(all.lines().size() - 1 > ROUNDS, () -> "lines on back-pressure: " + all.lines());
                }
            }
        }
    }

    /** The bolt stands still: how much was emitted when the spout does, too. */
    private static int emittedWhenHeldBack() {
        AtomicInteger before = new AtomicInteger(-1);
        await().atMost(DEADLINE).pollInterval(Duration.ofMillis(200)).until(() -> {
            int emitted = HeldTopology.EMITTED.get();
            return before.getAndSet(emitted) == emitted && emitted > HeldTopology.EXECUTED.get();
        });
        return HeldTopology.EMITTED.get();
    }

    /** What the shipped configuration of a worker denies of what a class logs. */
    private static Filter shippedFilter(Class<?> logs) throws IOException {
        try (InputStream file = Files.newInputStream(Path.of("distribution", "src", "main", "log4j2", "worker.xml"))) {
            LoggersOnly configuration = new LoggersOnly(new ConfigurationSource(file));
            configuration.initialize();
            return configuration.getLoggerConfig(logs.getName()).getFilter();
        }
    }

    /** A configuration without its appenders, which would open a worker's log files. */
    private static final class LoggersOnly extends XmlConfiguration {

        LoggersOnly(ConfigurationSource source) {
            super(new LoggerContext("shipped"), source);
        }

        @Override
        public void setup() {
            super.setup();
            removeAppenders(rootNode);
        }

        private static void removeAppenders(Node node) {
            node.getChildren().removeIf(child -> child.getName().equals("Appenders") || child.getName().equals("AppenderRef"));
            node.getChildren().forEach(LoggersOnly::removeAppenders);
        }
    }
}
