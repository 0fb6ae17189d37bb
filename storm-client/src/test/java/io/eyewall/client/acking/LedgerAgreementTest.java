package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.woven.SubmissionEntry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorInfo;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;

class LedgerAgreementTest {

    private static final Map<String, Object> WANTED = Map.of("topology.acking", "ledger");
    private static final String UPSTREAM = "2.8.3";
    private static final String EYEWALL = SubmissionEntry.supervisorVersion(UPSTREAM);

    @Test
    void shouldAgreeOnLedgersWhenEverySupervisorCan() {
        assertEquals("ledger", agreed(WANTED, EYEWALL, EYEWALL));
    }

    @Test
    void shouldTakeAckersWhenOneSupervisorIsUpstreams() {
        assertEquals("acker", agreed(WANTED, EYEWALL, UPSTREAM));
        assertEquals("acker", agreed(WANTED, UPSTREAM, EYEWALL));
        assertEquals("acker", agreed(WANTED, (String) null));
    }

    @Test
    void shouldTakeAckersWhenNoSupervisorIsKnown() {
        assertEquals("acker", agreed(WANTED));
    }

    @Test
    void shouldTakeAckersWhenTheyAreWanted() {
        assertEquals("acker", agreed(Map.of("topology.acking", "acker"), EYEWALL));
    }

    @Test
    void shouldReportEyewallsVersionOfASupervisorOnceOnly() {
        SupervisorInfo info = new SupervisorInfo();
        info.set_version(EYEWALL);
        assertTrue(SubmissionEntry.isEyewall(info.get_version()));
        assertEquals(EYEWALL, SubmissionEntry.supervisorVersion(EYEWALL));
        assertFalse(SubmissionEntry.isEyewall(UPSTREAM));
    }

    @Test
    void shouldKeepLedgersOnlyWhereTheTopologysOwnConfigurationSaysSo() {
        assertTrue(LedgerAckingFeature.keepsLedgers(Map.of("topology.acking", "ledger")));
        assertFalse(LedgerAckingFeature.keepsLedgers(Map.of("topology.acking", "acker")));
        assertFalse(LedgerAckingFeature.keepsLedgers(Map.of("storm.cluster.mode", "distributed")), "submitted by upstream's client");
        assertFalse(LedgerAckingFeature.keepsLedgers(Map.of("topology.acking", "ledger", "topology.acker.executors", 0)), "unreliable");
    }

    @Test
    void shouldRefuseABadValueWhenStormValidates() {
        Map<String, Object> conf = new HashMap<>(Map.of("topology.acking", "ledgers"));
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> ConfigValidation.validateFields(conf));
        assertEquals("topology.acking is 'ledgers', but must be ledger or acker.", error.getMessage());
    }

    private static Object agreed(Map<String, Object> clientConf, String... supervisorVersions) {
        List<SupervisorSummary> supervisors = Arrays.stream(supervisorVersions).map(version -> {
            SupervisorSummary supervisor = new SupervisorSummary("host", 1, 4, 0, "id");
            supervisor.set_version(version);
            return supervisor;
        }).toList();
        Map<String, Object> topologyConf = new HashMap<>(clientConf);
        new LedgerAgreement().submitting(clientConf, new StormTopology(),
            () -> new ClusterSummary(supervisors, List.of(), List.of()), topologyConf);
        return topologyConf.get("topology.acking");
    }
}
