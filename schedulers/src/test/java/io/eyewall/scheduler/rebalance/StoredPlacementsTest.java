package io.eyewall.scheduler.rebalance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.scheduler.WorkerSlot;
import org.apache.storm.testing.InProcessZookeeper;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class StoredPlacementsTest {

    @Test
    void shouldReadWhatAnyNimbusHasStored() throws Exception {
        try (InProcessZookeeper zooKeeper = new InProcessZookeeper()) {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.put("storm.zookeeper.servers", List.of("localhost"));
            conf.put("storm.zookeeper.port", zooKeeper.getPort());
            IStormClusterState nimbus = ClusterUtils.mkStormClusterState(conf, new ClusterStateContext(DaemonType.NIMBUS, conf));
            try (StoredPlacements stored = new StoredPlacements(conf)) {
                assertEquals(Map.of(), stored.apply("orders-1-1"));

                Assignment assignment = new Assignment("directory");
                assignment.set_executor_node_port(Map.of(List.of(1L, 2L), new NodeInfo("a", Set.of(6700L)), List.of(3L, 3L),
                    new NodeInfo("b", Set.of(6701L))));
                nimbus.setAssignment("orders-1-1", assignment, conf);

                WorkerSlot a = new WorkerSlot("a", 6700);
                assertEquals(Map.of(1, a, 2, a, 3, new WorkerSlot("b", 6701)), stored.apply("orders-1-1"));
            } finally {
                nimbus.disconnect();
            }
        }
    }
}
