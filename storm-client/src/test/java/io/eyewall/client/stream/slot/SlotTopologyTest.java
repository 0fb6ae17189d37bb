package io.eyewall.client.stream.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.client.stream.plan.InstancePlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class SlotTopologyTest {

    private final Map<String, Object> conf = Utils.readDefaultConfig();

    @Test
    void shouldKnowWhatComponentsSetThemselves() throws Exception {
        SlotTopology topology = new SlotTopology(conf, topology(3));

        assertTrue(topology.isSpout("words"));
        assertFalse(topology.isSpout("count"));
        assertEquals(Set.of(), topology.sources("words"));
        assertEquals(Set.of("words"), topology.sources("count"));
        assertEquals(Set.of(), topology.sources("__acker"));
        assertEquals(1, topology.executorsPerInstance("words"));
        assertEquals(3, topology.executorsPerInstance("count"));
        assertEquals(128, topology.heapMb("words"));
        assertEquals(200, topology.heapMb("count"));
        assertEquals("__acker", topology.of(1));
        assertEquals(128, topology.heapMb("__acker"), "Storm's own components are not in what was submitted");
    }

    /** A component comes before its topology, and the map before the key. */
    @Test
    void shouldReadTheHeapWhereStormsSchedulersDo() throws Exception {
        conf.put(Config.TOPOLOGY_COMPONENT_RESOURCES_MAP, Map.of(Constants.COMMON_ONHEAP_MEMORY_RESOURCE_NAME, 300));
        StormTopology submitted = topology(3);
        SlotTopology topology = new SlotTopology(conf, submitted);
        assertEquals(300, topology.heapMb("words"));
        assertEquals(200, topology.heapMb("count"));

        for (String name : List.of(Constants.COMMON_ONHEAP_MEMORY_RESOURCE_NAME, Config.TOPOLOGY_COMPONENT_RESOURCES_ONHEAP_MEMORY_MB)) {
            ComponentCommon count = submitted.get_bolts().get("count").get_common();
            Map<String, Object> own = OwnConfiguration.of(count);
            own.put(Config.TOPOLOGY_COMPONENT_RESOURCES_MAP, Map.of(name, 400));
            OwnConfiguration.set(count, own);
            assertEquals(400, new SlotTopology(conf, submitted).heapMb("count"), name);
        }
    }

    @Test
    void shouldReadConfigurationsOnce() throws Exception {
        StormTopology submitted = topology(3);
        SlotTopology topology = new SlotTopology(conf, submitted);

        submitted.get_bolts().get("count").get_common().set_json_conf("no JSON");

        assertEquals(3, topology.executorsPerInstance("count"));
        assertEquals(200, topology.heapMb("count"));
    }

    @Test
    void shouldMakeAPlanOnlyWhenTheAssignmentHasChanged() throws Exception {
        SlotTopology topology = new SlotTopology(conf, topology(3));
        NodeInfo slot = new NodeInfo("node", Set.of(6700L));
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(new HashMap<>(Map.of(List.of(2L, 2L), slot)));
        InstancePlan plan = topology.plan(new Assignment(assignment));

        assertSame(plan, topology.plan(new Assignment(assignment)));

        assignment.put_to_executor_node_port(List.of(3L, 3L), slot);
        InstancePlan next = topology.plan(new Assignment(assignment));
        assertEquals(Set.of(2, 3), next.tasks(slot));
        assertEquals(Set.of(2), plan.tasks(slot));
    }

    @Test
    void shouldNameTheKeyOfABadValue() {
        conf.put(StreamConfiguration.EXECUTORS, 0);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> new SlotTopology(conf, topology(3)));

        assertTrue(refused.getMessage().contains(StreamConfiguration.EXECUTORS), refused.getMessage());
    }

    @Test
    void shouldIgnoreABadValueOfAComponent() throws Exception {
        conf.put(StreamConfiguration.EXECUTORS, 2);
        SlotTopology topology = new SlotTopology(conf, topology(0));

        assertEquals(2, topology.executorsPerInstance("count"));
        assertEquals(200, topology.heapMb("count"), "what is right stays");
    }

    private StormTopology topology(int executorsPerInstance) {
        conf.put(Config.TOPOLOGY_WORKERS, 1);
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, 1);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout()).addConfiguration(Config.TOPOLOGY_TASKS, 1); // Nimbus adds that.
        builder.setBolt("count", new TestWordCounter()).globalGrouping("words").setMemoryLoad(200)
            .addConfiguration(Config.TOPOLOGY_TASKS, 4).addConfiguration(StreamConfiguration.EXECUTORS, executorsPerInstance);
        return builder.createTopology();
    }
}
