package io.eyewall.web;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SpecificAggregateStats;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.ThriftServer;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;

/** A Nimbus that is asked over Thrift and describes as many topologies as a test likes, each of ten executors in one worker. */
public final class ManyTopologies implements AutoCloseable {

    private static final int EXECUTORS = 10;
    private static final int SUPERVISORS = 100;
    private static final int UPTIME_SECS = 3_600;

    private final ThriftServer server;
    private final int port;
    private final String configuration = JSONValue.toJSONString(Utils.readDefaultConfig());
    private final List<TopologySummary> topologies;
    private final AtomicLong calls = new AtomicLong();

    /** Begins to serve. */
    public ManyTopologies(int port, int topologies) {
        this.port = port;
        this.topologies = IntStream.range(0, topologies).mapToObj(ManyTopologies::topology).toList();
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.put("nimbus.thrift.port", port);
        Nimbus.Iface nimbus = (Nimbus.Iface) Proxy.newProxyInstance(ManyTopologies.class.getClassLoader(),
            new Class<?>[] {Nimbus.Iface.class}, (proxy, method, arguments) -> answer(method.getName(), arguments));
        server = new ThriftServer(conf, new Nimbus.Processor<>(nimbus), ThriftConnectionType.NIMBUS);
        Thread thread = new Thread(server::serve, "many-topologies");
        thread.setDaemon(true);
        thread.start();
    }

    /** Serves until it is ended: PORT TOPOLOGIES. */
    public static void main(String[] arguments) throws InterruptedException {
        try (ManyTopologies nimbus = new ManyTopologies(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]))) {
            Thread.currentThread().join();
        }
    }

    @Override
    public void close() {
        server.stop();
    }

    private Object answer(String method, Object[] arguments) throws TException {
        return switch (method) {
            case "getLeader" -> leader();
            case "getClusterInfo" -> new ClusterSummary(IntStream.range(0, SUPERVISORS).mapToObj(this::supervisor).toList(), topologies,
                List.of(leader()));
            case "getTopologySummaries" -> topologies;
            case "getNimbusConf" -> configuration;
            case "getTopologyPageInfo" -> page((String) arguments[0]);
            default -> throw new TException("This Nimbus has no " + method);
        };
    }

    private NimbusSummary leader() {
        return new NimbusSummary("localhost", port, UPTIME_SECS, true, "2.8.3");
    }

    private SupervisorSummary supervisor(int number) {
        int slots = Math.max(4, topologies.size() / SUPERVISORS);
        SupervisorSummary supervisor = new SupervisorSummary("host-" + number, UPTIME_SECS, slots, slots, "supervisor-" + number);
        supervisor.set_total_resources(Map.of("memory.mb", 65_536.0, "cpu.pcore.percent", 3_200.0));
        return supervisor;
    }

    private static TopologySummary topology(int number) {
        TopologySummary topology = new TopologySummary("orders-" + number + "-1-1763990000", "orders-" + number, EXECUTORS, EXECUTORS, 1,
            UPTIME_SECS, "ACTIVE");
        topology.set_owner("owner-" + number % EXECUTORS);
        topology.set_replication_count(1);
        return topology;
    }

    private TopologyPageInfo page(String id) {
        Map<String, ComponentAggregateStats> bolts = new HashMap<>();
        for (int number = 1; number < EXECUTORS; number++) {
            CommonAggregateStats common = new CommonAggregateStats();
            common.set_num_executors(1);
            common.set_num_tasks(1);
            common.set_emitted(calls.incrementAndGet());
            BoltAggregateStats bolt = new BoltAggregateStats();
            bolt.set_executed(common.get_emitted());
            ComponentAggregateStats stats = new ComponentAggregateStats();
            stats.set_common_stats(common);
            stats.set_specific_stats(SpecificAggregateStats.bolt(bolt));
            bolts.put("bolt-" + number, stats);
        }
        TopologyPageInfo page = new TopologyPageInfo(id);
        page.set_id_to_spout_agg_stats(Map.of());
        page.set_id_to_bolt_agg_stats(bolts);
        page.set_topology_conf(configuration);
        page.set_status("ACTIVE");
        page.set_num_workers(1);
        return page;
    }
}
