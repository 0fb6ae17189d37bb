package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.tail.TechniqueOrders;
import io.eyewall.elasticity.henge.Technique;
import io.eyewall.scheduler.cluster.StormFixture;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.shade.org.apache.zookeeper.ZooDefs;
import org.apache.storm.shade.org.apache.zookeeper.data.ACL;
import org.apache.storm.testing.InProcessZookeeper;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The nodes in a real ZooKeeper. */
class TechniqueNodesTest {

    private static final String PATH = TechniqueOrders.path(StormFixture.ID);
    private static final Set<String> WITH_SLO = Set.of(StormFixture.ID);

    private final StormFixture storm = new StormFixture("m1");
    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private InProcessZookeeper zooKeeper;
    private long nowMs = 1_000_000;
    private long plannedMs;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new InProcessZookeeper();
        conf.put("storm.zookeeper.servers", List.of("localhost"));
        conf.put("storm.zookeeper.port", zooKeeper.getPort());
        storm.set("topology.tail.latency", "slo");
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    @Test
    void shouldWriteAndDeleteNodesAndTellWhenWorkersHaveReadThem() throws Exception {
        try (TechniqueNodes nodes = TechniqueNodes.ofNimbus(conf, () -> nowMs); IStateStorage worker = worker(conf)) {
            order(nodes, Set.of());
            assertNull(worker.get_data(PATH, false));

            Set<Technique> both = Set.of(Technique.BALANCING, Technique.TIMEOUT);
            order(nodes, Set.of(Technique.values()));
            assertEquals("topology.adaptive.timeout\ntopology.latency.balancing",
                new String(worker.get_data(PATH, false), StandardCharsets.UTF_8));
            nowMs += 2 * TechniqueOrders.READ_PERIOD_MS;
            assertEquals(Optional.empty(), inEffect(nodes));
            nowMs++;
            assertEquals(Optional.of(both), inEffect(nodes), "its spouts have no targets");

            order(nodes, Set.of());
            assertNull(worker.get_data(PATH, false));
            assertEquals(Optional.empty(), inEffect(nodes));
        }
    }

    @Test
    void shouldWaitForWorkersToReadAnOrderThatItGaveBeforeAnotherNimbusLed() throws Exception {
        try (TechniqueNodes first = TechniqueNodes.ofNimbus(conf, () -> nowMs);
                TechniqueNodes second = TechniqueNodes.ofNimbus(conf, () -> nowMs)) {
            order(first, Set.of(Technique.TIMEOUT));
            nowMs += 1_000_000;
            assertEquals(Optional.of(Set.of(Technique.TIMEOUT)), inEffect(first));
            order(second, Set.of());
            nowMs += 100_000;
            plannedMs = nowMs;
            order(second, Set.of(Technique.TIMEOUT));

            order(first, Set.of(Technique.TIMEOUT));

            assertEquals(Optional.empty(), inEffect(first), "some still do what was ordered between");
            nowMs += 2 * TechniqueOrders.READ_PERIOD_MS + 1;
            order(first, Set.of(Technique.TIMEOUT));
            assertEquals(Optional.of(Set.of(Technique.TIMEOUT)), inEffect(first));
        }
    }

    @Test
    void shouldOrderWhatItCanWhenOneNodeCannotBeChanged() throws Exception {
        String undeletable = TechniqueOrders.path("gone-1-1");
        try (TechniqueNodes nodes = TechniqueNodes.ofNimbus(conf, () -> nowMs); IStateStorage worker = worker(conf)) {
            order(nodes, Set.of(Technique.TIMEOUT));
            List<ACL> withoutDeletion = List.of(new ACL(ZooDefs.Perms.READ | ZooDefs.Perms.CREATE, ZooDefs.Ids.ANYONE_ID_UNSAFE));
            worker.set_data(undeletable, new byte[0], withoutDeletion);
            worker.set_data(undeletable + "/child", new byte[0], withoutDeletion);

            order(nodes, Set.of(Technique.BALANCING));

            assertTrue(worker.node_exists(undeletable, false));
            assertArrayEquals(TechniqueOrders.encode(List.of("topology.latency.balancing")), worker.get_data(PATH, false));
        }
    }

    @Test
    void shouldOrderTargetsOfDeadlinesWhereSpoutsHaveDifferentOnes() throws Exception {
        try (TechniqueNodes nodes = TechniqueNodes.ofNimbus(conf, () -> nowMs); IStateStorage worker = worker(conf)) {
            storm.spout("urgent", Map.of("topology.deadline.target.ms", "soon"));
            order(nodes, Set.of(Technique.DEADLINES));
            assertNull(worker.get_data(PATH, false), "workers do not start with such a target");

            storm.spout("urgent", Map.of("topology.deadline.target.ms", 20));
            order(nodes, Set.of(Technique.DEADLINES));
            assertEquals("topology.deadline.target.ms", new String(worker.get_data(PATH, false), StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldLetOnlyTheTopologysOwnWorkersReadItsNodeWhereZooKeeperKnowsUsers() throws Exception {
        conf.put("storm.zookeeper.auth.scheme", "digest");
        conf.put("storm.zookeeper.auth.payload", "nimbus:secret");
        Map<String, Object> topologyConf = new HashMap<>(conf);
        topologyConf.put("storm.zookeeper.topology.auth.scheme", "digest");
        topologyConf.put("storm.zookeeper.topology.auth.payload", "linear:secret");
        storm.set("storm.zookeeper.topology.auth.scheme", "digest");
        storm.set("storm.zookeeper.topology.auth.payload", "linear:secret");
        Map<String, Object> other = new HashMap<>(topologyConf);
        other.put("storm.zookeeper.topology.auth.payload", "other:secret");
        try (TechniqueNodes nodes = TechniqueNodes.ofNimbus(conf, () -> nowMs)) {
            order(nodes, Set.of(Technique.TIMEOUT));
            try (IStateStorage worker = worker(topologyConf); IStateStorage stranger = worker(other)) {
                assertArrayEquals(TechniqueOrders.encode(List.of(TechniqueOrders.ADAPTIVE_TIMEOUT)), worker.get_data(PATH, false));
                assertThrows(RuntimeException.class, () -> stranger.get_data(PATH, false));
                assertThrows(RuntimeException.class, () -> worker.set_data(PATH, new byte[0], null));
            }
        }
    }

    private void order(TechniqueNodes nodes, Set<Technique> techniques) {
        nodes.write(storm.view(), WITH_SLO, new TreeMap<>(Map.of(StormFixture.ID, techniques)), plannedMs);
    }

    private Optional<Set<Technique>> inEffect(TechniqueNodes nodes) {
        return nodes.statuses(storm.view(), WITH_SLO).get(StormFixture.ID).inEffect();
    }

    /** The state storage with the rights of a worker. */
    private static IStateStorage worker(Map<String, Object> topologyConf) throws Exception {
        return ClusterUtils.mkStateStorage(topologyConf, topologyConf, new ClusterStateContext(DaemonType.SUPERVISOR, topologyConf));
    }
}
