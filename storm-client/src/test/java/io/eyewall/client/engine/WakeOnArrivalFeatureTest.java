package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.CapturedLog;
import io.eyewall.client.hot.HotRebalanceFeature;
import io.eyewall.client.seam.ReceiveQueues;
import io.eyewall.client.seam.TransferQueues;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.seam.WorkerTransfers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.logging.log4j.Level;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.policy.IWaitStrategy;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.ReflectionUtils;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WakeOnArrivalFeatureTest {

    private static final String UPSTREAM_WAIT = "org.apache.storm.policy.WaitStrategyProgressive";

    private final Map<String, Object> topologyConf = new HashMap<>(Map.of(
        Config.TOPOLOGY_BOLT_WAIT_STRATEGY, UPSTREAM_WAIT, Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, UPSTREAM_WAIT,
        Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY, UPSTREAM_WAIT, Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, 32_768));

    @Test
    void shouldReplaceQueuesAndWaitsWhenNothingIsSet() {
        WorkerSeams seams = WorkerSeams.of(List.of(new WakeOnArrivalFeature()), new StormTopology(), topologyConf);
        assertNotSame(ReceiveQueues.UPSTREAM, seams.receiveQueues());
        assertNotSame(TransferQueues.UPSTREAM, seams.transferQueues());
        assertNotSame(WorkerTransfers.UPSTREAM, seams.workerTransfers());
        assertNotEquals(UPSTREAM_WAIT, topologyConf.get(Config.TOPOLOGY_BOLT_WAIT_STRATEGY));
        assertNotEquals(UPSTREAM_WAIT, topologyConf.get(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY));
        assertNotEquals(UPSTREAM_WAIT, topologyConf.get(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY));
        assertEquals(8_192L, topologyConf.get(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE));
    }

    @ParameterizedTest
    @CsvSource({"32768, WaitOfTheUser, 32768", "32767, " + UPSTREAM_WAIT + ", 32767", "32768, " + UPSTREAM_WAIT + ", 8192"})
    void shouldShortenQueuesOnlyWhereProducersAreWokenAndNobodyHasSaidHowLong(long size, String backPressureWait, long expected) {
        topologyConf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, size);
        topologyConf.put(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY, backPressureWait);
        WorkerSeams.of(List.of(new WakeOnArrivalFeature()), new StormTopology(), topologyConf);
        assertEquals(expected, topologyConf.get(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE));
    }

    @Test
    void shouldShareMemoryOnlyWhereThatIsAskedForAndNothingIsEncrypted() {
        assertFalse(new EngineConfiguration(topologyConf).sharesMemory());
        topologyConf.put(EngineConfiguration.SHARED_MEMORY, EngineConfiguration.AUTO);
        assertTrue(new EngineConfiguration(topologyConf).sharesMemory());
        topologyConf.put(Config.STORM_MESSAGING_NETTY_TLS_ENABLE, true);
        assertFalse(new EngineConfiguration(topologyConf).sharesMemory());
        topologyConf.remove(Config.STORM_MESSAGING_NETTY_TLS_ENABLE);
        topologyConf.put(EngineConfiguration.FRAMES, false);
        assertFalse(new EngineConfiguration(topologyConf).sharesMemory());
    }

    @Test
    void shouldWarnWithTheCauseWhenSharedMemoryIsAskedForAndCannotBeUsed() {
        assertEquals(List.of(), warningsOfSharedMemory(new UnsatisfiedLinkError("no library")), "nobody asks");
        topologyConf.put(EngineConfiguration.SHARED_MEMORY, EngineConfiguration.AUTO);
        assertEquals(List.of(), warningsOfSharedMemory(null));
        String remedy = ". topology.transfer.shared.memory has no effect on this worker: remove that cause, or set the key to off.";
        assertEquals(List.of("No frames go through shared memory, since Netty's native epoll cannot be used on this host:"
            + " java.lang.UnsatisfiedLinkError: no library" + remedy), warningsOfSharedMemory(new UnsatisfiedLinkError("no library")));
        topologyConf.put(EngineConfiguration.FRAMES, false);
        assertEquals(List.of("No frames go through shared memory, since topology.transfer.frames is false" + remedy),
            warningsOfSharedMemory(null));
        topologyConf.put(EngineConfiguration.WAKE_ON_ARRIVAL, false);
        assertEquals(List.of("No frames go through shared memory, since topology.wake.on.arrival is false" + remedy),
            warnings(WakeOnArrivalFeature.class,
                () -> WorkerSeams.of(List.of(new WakeOnArrivalFeature()), new StormTopology(), topologyConf)));
        topologyConf.remove(EngineConfiguration.WAKE_ON_ARRIVAL);
        topologyConf.remove(EngineConfiguration.FRAMES);
        topologyConf.put(Config.STORM_MESSAGING_NETTY_TLS_ENABLE, true);
        assertEquals(List.of("No frames go through shared memory, since storm.messaging.netty.tls.enable is true, and what is to be"
            + " encrypted would lie in memory as it is" + remedy), warningsOfSharedMemory(null));
    }

    @Test
    void shouldLeaveAllToUpstreamWhenSwitchedOff() {
        topologyConf.put(EngineConfiguration.WAKE_ON_ARRIVAL, false);
        WorkerSeams seams = WorkerSeams.of(List.of(new WakeOnArrivalFeature()), new StormTopology(), topologyConf);
        assertSame(ReceiveQueues.UPSTREAM, seams.receiveQueues());
        assertSame(TransferQueues.UPSTREAM, seams.transferQueues());
        assertSame(WorkerTransfers.UPSTREAM, seams.workerTransfers());
        assertEquals(UPSTREAM_WAIT, topologyConf.get(Config.TOPOLOGY_BOLT_WAIT_STRATEGY));
        assertEquals(UPSTREAM_WAIT, topologyConf.get(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY));
        assertEquals(UPSTREAM_WAIT, topologyConf.get(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY));
        assertEquals(32_768, topologyConf.get(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE));
    }

    @Test
    void shouldReplaceQueuesBelowWhatOthersMakeOfThemWhenSwitchedOffAndExecutorsChange() {
        topologyConf.put(EngineConfiguration.WAKE_ON_ARRIVAL, false);
        topologyConf.put(EngineConfiguration.HOT_REBALANCE, true);
        topologyConf.put(Config.STORM_CLUSTER_MODE, "distributed");
        AtomicReference<ReceiveQueues> before = new AtomicReference<>();
        ReceiveQueues decorated = request -> before.get().receiveQueue(request);
        WorkerSeams seams = WorkerSeams.of(List.of(new WakeOnArrivalFeature(), decorating(next -> {
            before.set(next);
            return decorated;
        }), new HotRebalanceFeature()), new StormTopology(), topologyConf);
        assertNotSame(ReceiveQueues.UPSTREAM, before.get());
        assertSame(decorated, seams.receiveQueues());
        assertSame(TransferQueues.UPSTREAM, seams.transferQueues());
        assertEquals(UPSTREAM_WAIT, topologyConf.get(Config.TOPOLOGY_BOLT_WAIT_STRATEGY));
    }

    @ParameterizedTest
    @CsvSource({
        "topology.backpressure.wait.strategy, RoomWait, io.eyewall.client.engine.FullQueueWaitStrategy, true",
        "topology.bolt.wait.strategy, ParkingWait$OfBolts, io.eyewall.client.engine.ParkingWaitStrategy$OfBolts, true",
        "topology.spout.wait.strategy, ParkingWait$OfSpouts, io.eyewall.client.engine.ParkingWaitStrategy$OfSpouts, true",
        "topology.spout.wait.strategy, ParkingWait$OfSpouts, io.eyewall.client.engine.ParkingWaitStrategy$OfSpouts, false"})
    void shouldWarnOfTheNewNameAndUseItWhenAWaitStrategyHasItsFormerName(String key, String formerName, String newName, boolean wakes) {
        topologyConf.put(EngineConfiguration.WAKE_ON_ARRIVAL, wakes);
        topologyConf.put(key, "io.eyewall.client.engine." + formerName);
        List<String> warnings = warningsOf(new StormTopology());
        assertEquals(newName, topologyConf.get(key));
        assertInstanceOf(IWaitStrategy.class, ReflectionUtils.newInstance(newName));
        assertEquals(List.of(key + ": io.eyewall.client.engine." + formerName + " has another name now, and this worker uses that. Set "
            + key + ": " + newName + " in the topology's configuration or in storm.yaml."), warnings);
    }

    @Test
    void shouldWarnOfTheNewNameAndUseItWhenASpoutHasAWaitStrategyByItsFormerName() {
        TopologyBuilder builder = new TopologyBuilder();
        String key = Config.TOPOLOGY_SPOUT_WAIT_STRATEGY;
        String formerName = "io.eyewall.client.engine.ParkingWait$OfSpouts";
        builder.setSpout("orders", new TestWordSpout()).addConfiguration(key, formerName).addConfiguration("mine", "kept");
        builder.setSpout("refunds", new TestWordSpout()).addConfiguration(key, UPSTREAM_WAIT);
        StormTopology topology = builder.createTopology();

        List<String> warnings = warningsOf(topology);

        String newName = ParkingWaitStrategy.OfSpouts.class.getName();
        assertEquals(Map.of(key, newName, "mine", "kept"), configuration(topology, "orders"));
        assertEquals(Map.of(key, UPSTREAM_WAIT), configuration(topology, "refunds"));
        assertEquals(List.of(key + ": " + formerName + " has another name now, and this worker uses that. Set " + key + ": " + newName
            + " in the configuration of the spout orders."), warnings);
    }

    private static Map<String, Object> configuration(StormTopology topology, String spout) {
        return Utils.parseJson(topology.get_spouts().get(spout).get_common().get_json_conf());
    }

    private List<String> warningsOf(StormTopology topology) {
        return warnings(FormerWaitStrategies.class, () -> WorkerSeams.of(List.of(new WakeOnArrivalFeature()), topology, topologyConf));
    }

    private List<String> warningsOfSharedMemory(Throwable noEpoll) {
        return warnings(WakeOnArrivalFeature.class,
            () -> WakeOnArrivalFeature.logObstacleToSharedMemory(new EngineConfiguration(topologyConf), noEpoll));
    }

    private static List<String> warnings(Class<?> logger, Runnable action) {
        try (CapturedLog warnings = new CapturedLog(Level.WARN, logger)) {
            action.run();
            return warnings.lines();
        }
    }

    private static WorkerFeature decorating(UnaryOperator<ReceiveQueues> decoration) {
        return new WorkerFeature() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public void join(WorkerSeams.Builder seams, Map<String, Object> conf) {
                seams.receiveQueues(decoration);
            }
        };
    }
}
