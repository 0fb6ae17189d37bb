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
import org.junit.jupiter.api.Test;

class HotAgreementTest {

    @Test
    void shouldSayThatExecutorsMayChangeWhenAllSupervisorsAreEyewalls() {
        assertEquals(Map.of(EngineConfiguration.HOT_REBALANCE, true), submitted(true, "2.8.3+eyewall", "2.8.3+eyewall"));
    }

    @Test
    void shouldSayThatWorkersRestartWhenASupervisorIsUpstreams() {
        assertEquals(Map.of(EngineConfiguration.HOT_REBALANCE, false), submitted(true, "2.8.3+eyewall", "2.8.3"));
    }

    @Test
    void shouldSayNothingWhenNobodyWantsIt() {
        assertEquals(Map.of(), submitted(false, "2.8.3+eyewall"));
    }

    private static Map<String, Object> submitted(boolean wanted, String... versions) {
        List<SupervisorSummary> supervisors = Arrays.stream(versions).map(version -> {
            SupervisorSummary supervisor = new SupervisorSummary("host of " + version, 100, 4, 0, "id");
            supervisor.set_version(version);
            return supervisor;
        }).toList();
        Map<String, Object> topologyConf = new HashMap<>();
        new HotAgreement().submitting(Map.of(EngineConfiguration.HOT_REBALANCE, wanted), new StormTopology(),
            () -> new ClusterSummary(supervisors, List.of(), List.of()), topologyConf);
        return topologyConf;
    }
}
