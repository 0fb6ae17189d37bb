package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.engine.EngineConfiguration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.testing.FeederSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.topology.base.BaseStatefulWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.windowing.TupleWindow;
import org.junit.jupiter.api.Test;

class HotAgreementTest {

    private StormTopology topology = new StormTopology();

    @Test
    void shouldSayThatExecutorsMayChangeWhenAllSupervisorsAreEyewalls() {
        assertEquals(Map.of(EngineConfiguration.HOT_REBALANCE, true), submitted(true, "2.8.3+eyewall", "2.8.3+eyewall"));
    }

    @Test
    void shouldSayThatWorkersRestartWhenASupervisorIsUpstreams() {
        assertEquals(Map.of(EngineConfiguration.HOT_REBALANCE, false), submitted(true, "2.8.3+eyewall", "2.8.3"));
    }

    @Test
    void shouldSayThatWorkersRestartWhenNobodyTellsOfSupervisors() {
        assertEquals(Map.of(EngineConfiguration.HOT_REBALANCE, false), submitted(true));
    }

    @Test
    void shouldSayThatWorkersRestartWhenABoltHasStateAndWindows() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new FeederSpout(new Fields("a")));
        builder.setBolt("windows", new Windows().withTumblingWindow(BaseWindowedBolt.Count.of(2))).shuffleGrouping("spout");
        topology = builder.createTopology();

        assertEquals(Map.of(EngineConfiguration.HOT_REBALANCE, false), submitted(true, "2.8.3+eyewall"));
    }

    @Test
    void shouldSayThatExecutorsMayChangeWhenABoltHasState() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new FeederSpout(new Fields("a")));
        builder.setBolt("state", new Sums()).shuffleGrouping("spout");
        topology = builder.createTopology();

        assertEquals(Map.of(EngineConfiguration.HOT_REBALANCE, true), submitted(true, "2.8.3+eyewall"));
    }

    @Test
    void shouldSayThatWorkersRestartWhenTheUserWantsIt() {
        assertEquals(Map.of(EngineConfiguration.HOT_REBALANCE, false), submitted(false, "2.8.3+eyewall"));
    }

    private Map<String, Object> submitted(boolean wanted, String... versions) {
        List<SupervisorSummary> supervisors = Arrays.stream(versions).map(version -> {
            SupervisorSummary supervisor = new SupervisorSummary("host of " + version, 100, 4, 0, "id");
            supervisor.set_version(version);
            return supervisor;
        }).toList();
        Map<String, Object> topologyConf = new HashMap<>();
        new HotAgreement().submitting(Map.of(EngineConfiguration.HOT_REBALANCE, wanted), topology,
            () -> new ClusterSummary(supervisors, List.of(), List.of()), topologyConf);
        return topologyConf;
    }

    private static final class Sums extends BaseStatefulBolt<KeyValueState<String, Long>> {

        private static final long serialVersionUID = 1L;

        @Override
        public void initState(KeyValueState<String, Long> state) {
            // It keeps nothing.
        }

        @Override
        public void execute(Tuple input) {
            // It does nothing.
        }
    }

    private static final class Windows extends BaseStatefulWindowedBolt<KeyValueState<String, Long>> {

        private static final long serialVersionUID = 1L;

        @Override
        public void initState(KeyValueState<String, Long> state) {
            // It keeps nothing.
        }

        @Override
        public void execute(TupleWindow window) {
            // It does nothing.
        }
    }
}
