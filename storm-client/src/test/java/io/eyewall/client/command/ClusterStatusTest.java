package io.eyewall.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.junit.jupiter.api.Test;

class ClusterStatusTest {

    @Test
    void shouldAddUpTheSlotsWhenThereAreSeveralSupervisors() {
        ClusterSummary summary = new ClusterSummary(
            List.of(new SupervisorSummary("h1", 10, 4, 1, "s1"), new SupervisorSummary("h2", 10, 2, 2, "s2")),
            List.of(new TopologySummary("t1-1-1", "t1", 6, 5, 3, 10, "ACTIVE")),
            List.of());

        assertEquals(
            Map.of("supervisors", 2, "slots", 6,
                "topologies", List.of(Map.of("name", "t1", "status", "ACTIVE", "workers", 3, "executors", 5))),
            ClusterStatus.describe(summary));
    }

    @Test
    void shouldExpectTheMarkOfEyewallFromSupervisorsOnly() {
        assertEquals(Map.of("nimbus", "2.8.3", "supervisor", "2.8.3+eyewall"), ClusterStatus.versions("2.8.3"));
    }

    @Test
    void shouldNameTheVersionOfEachDaemon() {
        NimbusSummary nimbus = new NimbusSummary("h1", 6627, 10, true, "2.8.3");
        SupervisorSummary supervisor = new SupervisorSummary("h2", 10, 4, 1, "s1");
        supervisor.set_version("2.7.0");

        assertEquals(
            List.of(Map.of("kind", "nimbus", "host", "h1", "version", "2.8.3"),
                Map.of("kind", "supervisor", "host", "h2", "version", "2.7.0")),
            ClusterStatus.daemons(new ClusterSummary(List.of(supervisor), List.of(), List.of(nimbus))));
    }
}
