package io.eyewall.client.settings.elasticity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestGlobalCount;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class TaskHeadroomTest {

    private static final String FACTOR = "topology.elastic.tasks.factor";

    @Test
    void shouldGiveEachExecutorSeveralTasksWhenToldSo() throws Exception {
        assertEquals(Map.of("$coordinator", 1, "words", 4, "count", 8, "total", 3), tasks(Map.of(FACTOR, 4), Map.of()));
    }

    @Test
    void shouldChangeNothingByDefault() throws Exception {
        assertEquals(Map.of("$coordinator", 1, "words", 1, "count", 2, "total", 3), tasks(Map.of(), Map.of()));
    }

    @Test
    void shouldChangeNothingWhenTheTopologySaysHowManyTasksItHas() throws Exception {
        assertEquals(Map.of("$coordinator", 5, "words", 5, "count", 5, "total", 3), tasks(Map.of(FACTOR, 4), Map.of("topology.tasks", 5)));
    }

    @Test
    void shouldRefuseAFactorOutOfRange() {
        for (Object factor : new Object[] {0, 101, 1.5, "two"}) {
            IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new ElasticityConfiguration(Map.of(FACTOR, factor)));
            assertEquals(FACTOR + " is '" + factor + "', but must be a whole number of tasks from 1 to 100.", refused.getMessage());
        }
    }

    /** How many tasks Nimbus would give the components. */
    private static Map<String, Integer> tasks(Map<String, Object> clientConf, Map<String, Object> topologyConf) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("$coordinator", new TestWordSpout());
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("count", new TestWordCounter(), 2).addConfiguration("mine", "kept").shuffleGrouping("words");
        builder.setBolt("total", new TestGlobalCount(), 2).setNumTasks(3).globalGrouping("count");
        StormTopology topology = builder.createTopology();

        new TaskHeadroom().submitting(clientConf, topology, () -> fail("the cluster does not matter"), topologyConf);

        assertEquals("kept", ((Map<?, ?>) Utils.parseJson(topology.get_bolts().get("count").get_common().get_json_conf())).get("mine"));
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.putAll(topologyConf);
        Map<String, Integer> counts = new TreeMap<>();
        for (String component : new String[] {"$coordinator", "words"}) {
            counts.put(component, numTasks(conf, topology.get_spouts().get(component)));
        }
        for (String component : new String[] {"count", "total"}) {
            counts.put(component, numTasks(conf, topology.get_bolts().get(component)));
        }
        return counts;
    }

    private static int numTasks(Map<String, Object> conf, Object component) throws Exception {
        Object own = StormCommon.componentConf(component).get("topology.tasks");
        Object tasks = own == null ? conf.get("topology.tasks") : own;
        return tasks == null ? StormCommon.numStartExecutors(component) : ((Number) tasks).intValue();
    }
}
