package io.eyewall.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
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
}
