package io.eyewall.web.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.junit.jupiter.api.Test;

class ClusterJsonTest {

    private static final ClusterJson JSON = new ClusterJson(Summaries.CONF);

    @Test
    void shouldSumUpTheCluster() {
        Map<String, Object> json = JSON.summary(Summaries.cluster(), "bert");

        assertEquals(Set.of("stormVersion", "stormVersionInfo", "user", "supervisors", "topologies", "slotsTotal", "slotsUsed", "slotsFree",
            "executorsTotal", "tasksTotal", "totalMem", "availMem", "totalCpu", "availCpu", "fragmentedMem", "fragmentedCpu",
            "memAssignedPercentUtil", "cpuAssignedPercentUtil", "totalGenerics", "availGenerics", "schedulerDisplayResource",
            "bugtracker-url", "central-log-url"), json.keySet());
        assertEquals(List.of("bert", 1, 1, 4, 3, 1, 27, 28, 4096.0, 3072.0, 400.0, 300.0, "25.000", "25.000", true, "gpu.count=2.0",
            "gpu.count=1.5"),
            List.of("user", "supervisors", "topologies", "slotsTotal", "slotsUsed", "slotsFree", "executorsTotal", "tasksTotal", "totalMem",
                "availMem", "totalCpu", "availCpu", "memAssignedPercentUtil", "cpuAssignedPercentUtil", "schedulerDisplayResource",
                "totalGenerics", "availGenerics").stream().map(json::get).toList());
    }

    @Test
    void shouldNameNimbusesThatAreThereAndSeedsThatAreNot() {
        List<?> nimbuses = (List<?>) JSON.nimbuses(Summaries.cluster()).get("nimbuses");

        assertEquals(Map.of("host", "master", "port", 6627, "status", "Leader", "version", "2.8.3", "nimbusUpTime", "3m 33s",
            "nimbusUpTimeSeconds", 213, "nimbusLogLink", "http://master:8000/api/v1/daemonlog?file=nimbus.log"), nimbuses.get(0));
        assertEquals(Map.of("host", "gone.example", "port", "6627", "status", "Offline", "version", "Not applicable",
            "nimbusUpTime", "Not applicable", "nimbusUpTimeSeconds", "Not applicable",
            "nimbusLogLink", "http://gone.example:8000/api/v1/daemonlog?file=nimbus.log"), nimbuses.get(1));
        assertEquals(2, nimbuses.size());
    }

    @Test
    void shouldListSupervisorsWithTheirWorkers() {
        SupervisorPageInfo page = new SupervisorPageInfo();
        page.set_supervisor_summaries(List.of(Summaries.supervisor()));
        page.set_worker_summaries(List.of(Summaries.worker()));

        Map<String, Object> json = JSON.supervisors(page);

        assertEquals(Set.of("supervisors", "workers", "schedulerDisplayResource", "logviewerPort", "logviewerScheme"), json.keySet());
        Map<?, ?> supervisor = (Map<?, ?>) ((List<?>) json.get("supervisors")).get(0);
        assertEquals(Set.of("id", "host", "uptime", "uptimeSeconds", "slotsTotal", "slotsUsed", "slotsFree", "blacklisted", "version",
            "totalMem", "usedMem", "availMem", "totalCpu", "usedCpu", "availCpu", "totalGenericResources", "usedGenericResources",
            "availGenericResources", "logLink"), supervisor.keySet());
        assertEquals("5m 58s", supervisor.get("uptime"));
        Map<?, ?> worker = (Map<?, ?>) ((List<?>) json.get("workers")).get(0);
        assertEquals(Set.of("supervisorId", "host", "port", "topologyId", "topologyName", "executorsTotal", "assignedMemOnHeap",
            "assignedMemOffHeap", "assignedCpu", "componentNumTasks", "uptime", "uptimeSeconds", "workerLogLink", "owner"),
            worker.keySet());
        assertEquals("http://10.11.1.7:8000/api/v1/log?file=" + Summaries.TOPOLOGY + "%2F6707%2Fworker.log", worker.get("workerLogLink"));
    }

    @Test
    void shouldLinkToLogviewersOverTlsWhereTheyHaveIt() {
        ClusterJson secure = new ClusterJson(Map.of("logviewer.https.port", 8443));

        Map<String, Object> json = secure.supervisors(List.of(Summaries.supervisor()));

        assertEquals(List.of(8443, "https"), List.of(json.get("logviewerPort"), json.get("logviewerScheme")));
    }

    @Test
    void shouldListTopologies() {
        Map<?, ?> topology = (Map<?, ?>) ((List<?>) JSON.topologies(List.of(Summaries.topology())).get("topologies")).get(0);

        assertEquals(Set.of("id", "encodedId", "name", "owner", "status", "uptime", "uptimeSeconds", "workersTotal", "executorsTotal",
            "tasksTotal", "replicationCount", "schedulerInfo", "requestedMemOnHeap", "requestedMemOffHeap", "requestedTotalMem",
            "requestedCpu", "requestedGenericResources", "assignedMemOnHeap", "assignedMemOffHeap", "assignedTotalMem", "assignedCpu",
            "assignedGenericResources", "topologyVersion", "stormVersion"), topology.keySet());
        assertEquals(768.0, topology.get("requestedTotalMem"), "on and off the heap, both as requested");
    }

    @Test
    void shouldShowOnlyTheOwnersTopologiesAndNoGuaranteeThatIsNotGiven() {
        OwnerResourceSummary owner = new OwnerResourceSummary("bert");
        owner.set_cpu_guarantee(100);

        TopologySummary foreign = Summaries.topology();
        foreign.set_owner("ann");

        Map<String, Object> json = JSON.owner(owner, List.of(Summaries.topology(), foreign));

        assertEquals(Set.of("owner", "totalTopologies", "totalExecutors", "totalWorkers", "totalTasks", "totalMemoryUsage", "totalCpuUsage",
            "memoryGuarantee", "cpuGuarantee", "isolatedNodes", "memoryGuaranteeRemaining", "cpuGuaranteeRemaining", "totalReqOnHeapMem",
            "totalReqOffHeapMem", "totalReqMem", "totalReqCpu", "totalAssignedOnHeapMem", "totalAssignedOffHeapMem", "topologies",
            "schedulerDisplayResource"), json.keySet());
        assertEquals(List.of(100.0, "N/A"), List.of(json.get("cpuGuarantee"), json.get("memoryGuarantee")));
        assertEquals(1, ((List<?>) json.get("topologies")).size());
    }
}
