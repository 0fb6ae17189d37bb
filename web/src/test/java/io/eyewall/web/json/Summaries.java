package io.eyewall.web.json;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentType;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SpecificAggregateStats;
import org.apache.storm.generated.SpoutAggregateStats;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.generated.WorkerSummary;

/** What Nimbus may return, made by hand. */
final class Summaries {

    static final String TOPOLOGY = "wordcount-1-1446614150";

    /** Twenty seconds after the error of {@link #error}. */
    static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_020));

    static final Map<String, Object> CONF = Map.of("logviewer.port", 8000, "scheduler.display.resource", true,
        "nimbus.seeds", List.of("localhost", "gone.example"), "nimbus.thrift.port", 6627,
        "ui.project.bugtracker.url", "https://bugs.example", "worker.profiler.enabled", false);

    private Summaries() {
    }

    static ClusterSummary cluster() {
        NimbusSummary nimbus = new NimbusSummary("master", 6627, 213, true, "2.8.3");
        return new ClusterSummary(List.of(supervisor()), List.of(topology()), List.of(nimbus));
    }

    static SupervisorSummary supervisor() {
        SupervisorSummary supervisor = new SupervisorSummary("10.11.1.7", 358, 4, 3, "0b879808");
        supervisor.set_version("2.8.3");
        supervisor.set_total_resources(new HashMap<>(Map.of("memory.mb", 4096.0, "cpu.pcore.percent", 400.0, "gpu.count", 2.0)));
        supervisor.set_used_mem(1024);
        supervisor.set_used_cpu(100);
        supervisor.set_used_generic_resources(new HashMap<>(Map.of("gpu.count", 0.5)));
        return supervisor;
    }

    static TopologySummary topology() {
        TopologySummary topology = new TopologySummary(TOPOLOGY, "wordcount", 28, 27, 3, 365, "ACTIVE");
        topology.set_owner("bert");
        topology.set_replication_count(1);
        topology.set_requested_memonheap(640);
        topology.set_requested_memoffheap(128);
        topology.set_assigned_memonheap(600);
        return topology;
    }

    static WorkerSummary worker() {
        WorkerSummary worker = new WorkerSummary();
        worker.set_supervisor_id("0b879808");
        worker.set_host("10.11.1.7");
        worker.set_port(6707);
        worker.set_topology_id(TOPOLOGY);
        worker.set_topology_name("wordcount");
        worker.set_num_executors(8);
        worker.set_uptime_secs(167);
        worker.set_component_to_num_tasks(Map.of("words", 5L));
        return worker;
    }

    static ErrorInfo error() {
        ErrorInfo error = new ErrorInfo("java.lang.RuntimeException: " + "x".repeat(300), 1_000);
        error.set_host("10.11.1.7");
        error.set_port(6707);
        return error;
    }

    static ComponentAggregateStats spout() {
        SpoutAggregateStats spout = new SpoutAggregateStats();
        spout.set_complete_latency_ms(920.4971);
        ComponentAggregateStats stats = new ComponentAggregateStats();
        stats.set_type(ComponentType.SPOUT);
        stats.set_common_stats(common());
        stats.set_specific_stats(SpecificAggregateStats.spout(spout));
        return stats;
    }

    static ComponentAggregateStats bolt() {
        BoltAggregateStats bolt = new BoltAggregateStats();
        bolt.set_executed(28_780);
        bolt.set_execute_latency_ms(0.048);
        bolt.set_process_latency_ms(2.1119);
        bolt.set_capacity(0.0031);
        ComponentAggregateStats stats = new ComponentAggregateStats();
        stats.set_type(ComponentType.BOLT);
        stats.set_common_stats(common());
        stats.set_specific_stats(SpecificAggregateStats.bolt(bolt));
        return stats;
    }

    private static CommonAggregateStats common() {
        CommonAggregateStats common = new CommonAggregateStats();
        common.set_num_executors(5);
        common.set_num_tasks(6);
        common.set_emitted(28_880);
        common.set_transferred(28_870);
        common.set_acked(28_860);
        common.set_failed(3);
        common.set_resources_map(Map.of("onheap.memory.mb", 128.0, "offheap.memory.mb", 64.0, "cpu.pcore.percent", 10.0));
        return common;
    }
}
