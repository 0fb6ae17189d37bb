package io.eyewall.web.api;

import static io.eyewall.web.api.Route.change;
import static io.eyewall.web.api.Route.changeWithGet;
import static io.eyewall.web.api.Route.show;
import static io.eyewall.web.api.Route.showKept;

import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.web.history.TopologyHistory;
import io.eyewall.web.json.ClusterJson;
import io.eyewall.web.json.ComponentJson;
import io.eyewall.web.json.GraphJson;
import io.eyewall.web.json.TopologyJson;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.TopologySpoutLag;

/** The table of all addresses. Immutable. */
final class Routes {

    private static final String CLUSTER = "getClusterInfo";
    private static final String TOPOLOGY = "getTopology";
    private static final String PROFILER = "setWorkerProfiler";
    private static final String WINDOW = "window";
    private static final String SYSTEM = "sys";
    private static final String STATS = "stats";

    private final Map<String, Object> conf;
    private final ClusterJson cluster;
    private final TopologyJson topologies;
    private final ComponentJson components;
    private final List<Route> all;

    Routes(Map<String, Object> conf, TopologyHistory history, InstantSource clock) {
        this.conf = conf;
        cluster = new ClusterJson(conf);
        topologies = new TopologyJson(conf, clock);
        components = new ComponentJson(conf, clock);
        TopologyActions actions = new TopologyActions();
        all = new ArrayList<>(ofCluster());
        SchedulerBlobs schedulers = new SchedulerBlobs();
        all.addAll(ofTopologies(actions, schedulers, new HistoryAddress(history, clock), new PressureAddress(clock),
            new LatencyAddress(clock)));
        all.addAll(actions(actions, schedulers, new SchedulerActions(schedulers, TimeUnit.MILLISECONDS::sleep)));
        all.addAll(profiling(new ProfilingActions(conf, clock)));
    }

    List<Route> all() {
        return all;
    }

    private List<Route> ofCluster() {
        return List.of(
            show("cluster/configuration", "getNimbusConf", says("Nimbus's configuration, without secrets."),
                (nimbus, asked) -> Secrets.mask(nimbus.getNimbusConf())),
            show("cluster/summary", CLUSTER, says("Slots, executors, tasks, memory and CPU of the cluster."),
                (nimbus, asked) -> cluster.summary(nimbus.getClusterInfo(), asked.user())),
            show("nimbus/summary", CLUSTER, says("Every Nimbus."), (nimbus, asked) -> cluster.nimbuses(nimbus.getClusterInfo())),
            show("history/summary", CLUSTER, says("Ids of topologies that the user has run."),
                (nimbus, asked) -> Map.of("topo-history", nimbus.getTopologyHistory(asked.user()).get_topo_ids())),
            show("owner-resources", "getOwnerResourceSummaries", says("What each owner uses and is guaranteed."),
                (nimbus, asked) -> cluster.owners(nimbus.getOwnerResourceSummaries(null))),
            show("owner-resources/{owner}", "getOwnerResourceSummaries", says("One owner with the topologies."), this::owner),
            show("supervisor/summary", CLUSTER, paged("Every Supervisor."),
                Paging.of("supervisors", (nimbus, asked) -> cluster.supervisors(nimbus.getClusterInfo().get_supervisors()))),
            show("supervisor", "getSupervisorPageInfo", says("One Supervisor or those of a host, with their workers.", "id", "host", "sys"),
                this::supervisor),
            show("slo/summary", CLUSTER, says("Which topologies have a service level, and whether each is met."),
                (nimbus, asked) -> SchedulerBlobs.slos(nimbus)),
            show("topology/summary", CLUSTER, paged("Every topology."),
                Paging.of("topologies", (nimbus, asked) -> cluster.topologies(nimbus.getTopologySummaries()))));
    }

    private List<Route> ofTopologies(TopologyActions actions, SchedulerBlobs schedulers, HistoryAddress history,
            PressureAddress pressure, LatencyAddress latency) {
        return List.of(
            show("topology-workers/{id}", TOPOLOGY, says("Hosts and ports of its workers."),
                (nimbus, asked) -> topologies.workers(executors(nimbus, asked).get_executors())),
            show("topology/{id}", TOPOLOGY,
                paged("Figures, components and configuration of a topology; of its workers a page if one is wanted.", WINDOW, SYSTEM),
                Paging.of("workers", this::topology)),
            show("topology/{id}/metrics", TOPOLOGY, says("Figures of every component by stream.", WINDOW, SYSTEM),
                (nimbus, asked) -> graph(nimbus, asked).metrics()),
            show("topology/{id}/lag", TOPOLOGY, says("How far Kafka spouts are behind."), this::lag),
            showKept("topology/{id}/history", TOPOLOGY,
                says("Time series of a topology, component or worker.", "component", "worker", "metric", "from", "to"), history),
            showKept("topology/{id}/events", TOPOLOGY,
                says("What happens to it from now on, as server-sent events: errors, restarts, scalings and the like."), history::events),
            show("topology/{id}/visualization-init", TOPOLOGY, says("The streams of the graph.", WINDOW, SYSTEM),
                (nimbus, asked) -> graph(nimbus, asked).streams()),
            show("topology/{id}/visualization", TOPOLOGY, says("The graph.", WINDOW, SYSTEM, STATS),
                (nimbus, asked) -> graph(nimbus, asked).components(asked.choice(STATS, "executors", "sum").equals("sum"))),
            show("topology/{id}/component/{component}", TOPOLOGY,
                paged("Figures and errors of a component; of its executors a page if one is wanted.", WINDOW, SYSTEM),
                Paging.of("executorStats", this::component)),
            show("topology/{id}/latency", TOPOLOGY, says("How long each hop of its tuples takes."), latency),
            show("topology/{id}/back-pressure", TOPOLOGY, says("Which components hold others back, and since when."), pressure),
            show("topology/{id}/slo", TOPOLOGY, says("Its service level, and how it does."), schedulers::slo),
            show("topology/{id}/scaling", TOPOLOGY, says("How it was scaled."), schedulers::scalings),
            show("topology/{id}/scaling/{request}", TOPOLOGY, says("A plan that was asked for."), schedulers::plan),
            show("topology/{id}/logconfig", TOPOLOGY, says("Log levels that have been set."), actions::logLevels));
    }

    private static List<Route> actions(TopologyActions actions, SchedulerBlobs schedulers, SchedulerActions applied) {
        return List.of(
            change("topology/{id}/logconfig", "setLogConfig", says("Sets log levels; a level of null removes it.").withBody(
                "{\"namedLoggerLevels\": {\"com.example\": {\"target_level\": \"DEBUG\", \"timeout\": 30}}}"), actions::setLogLevels),
            change("topology/{id}/activate", "activate", says("Lets its spouts emit again."), actions::activate),
            change("topology/{id}/deactivate", "deactivate", says("Stops its spouts."), actions::deactivate),
            change("topology/{id}/rebalance/{wait}", "rebalance", says("Assigns its executors anew.").withBody(
                "{\"rebalanceOptions\": {\"numWorkers\": 2, \"executors\": {\"count\": 10}}}"), actions::rebalance),
            change("topology/{id}/kill/{wait}", "killTopology", says("Ends it for good."), actions::kill),
            change("topology/{id}/debug/{state}/{percent}", "debug", says("Logs a share of its tuples, or ends that."), actions::debug),
            change("topology/{id}/component/{component}/debug/{state}/{percent}", "debug",
                says("Logs a share of the tuples of a component, or ends that."), actions::debug),
            change("topology/{id}/scaling", "rebalance", says("Asks for a plan to scale it, which changes nothing.")
                .withBody("{\"out\": 1, \"strategy\": \"etp\"}"), schedulers::requestPlan),
            change("topology/{id}/scaling/{request}/apply", "rebalance", says("Applies a plan to scale it, and waits for that."),
                applied::applyPlan),
            change("topology/{id}/slo", "rebalance", says("Changes its service level, and waits until that is in force.")
                .withBody("{\"latency.ms\": 50, \"latency.percentile\": \"p99\"}"), applied::setSlo));
    }

    private static List<Route> profiling(ProfilingActions profiling) {
        return List.of(
            changeWithGet("topology/{id}/profiling/start/{worker}/{minutes}", PROFILER, says("Asks for a profile of a worker."),
                profiling::start),
            changeWithGet("topology/{id}/profiling/stop/{worker}", PROFILER, says("Ends the profile."), profiling::stop),
            changeWithGet("topology/{id}/profiling/dumpprofile/{worker}", PROFILER, says("Writes the profile so far."),
                profiling.now(ProfileAction.JPROFILE_DUMP)),
            changeWithGet("topology/{id}/profiling/dumpjstack/{worker}", PROFILER, says("Writes the stacks of all threads."),
                profiling.now(ProfileAction.JSTACK_DUMP)),
            changeWithGet("topology/{id}/profiling/dumpheap/{worker}", PROFILER, says("Writes the heap."),
                profiling.now(ProfileAction.JMAP_DUMP)),
            changeWithGet("topology/{id}/profiling/restartworker/{worker}", PROFILER, says("Ends the worker, so that it starts again."),
                profiling.now(ProfileAction.JVM_RESTART)));
    }

    /** An address that shows a part of a list if that is wanted. */
    private static Description paged(String summary, String... query) {
        return Description.of(summary, Stream.concat(Stream.of(query), Paging.PARAMETERS.stream()).toArray(String[]::new));
    }

    private static Description says(String summary, String... query) {
        return Description.of(summary, query);
    }

    private Object owner(Nimbus.Iface nimbus, Parameters asked) throws TException {
        String owner = asked.path("owner");
        List<OwnerResourceSummary> found = nimbus.getOwnerResourceSummaries(owner);
        return cluster.owner(found.isEmpty() ? new OwnerResourceSummary(owner) : found.get(0), nimbus.getTopologySummaries());
    }

    private Object supervisor(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String id = asked.query().get("id");
        String host = asked.query().get("host");
        if (id == null && host == null) {
            throw HttpException.badRequest("Which supervisor? Add ?id=SUPERVISOR or ?host=HOST.");
        }
        return cluster.supervisors(nimbus.getSupervisorPageInfo(id, host, asked.system()));
    }

    private Object topology(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String window = asked.window();
        TopologyPageInfo page = nimbus.getTopologyPageInfo(asked.path("id"), window, asked.system());
        return topologies.page(page, Secrets.mask(page.get_topology_conf()), window, asked.user());
    }

    private Object lag(Nimbus.Iface nimbus, Parameters asked) throws TException {
        StormTopology topology = nimbus.getUserTopology(asked.path("id"));
        return ObjectReader.getBoolean(conf.get(DaemonConfig.UI_DISABLE_SPOUT_LAG_MONITORING), true) ? new LinkedHashMap<>()
            : TopologySpoutLag.lag(topology, conf);
    }

    private Object component(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String id = asked.path("id");
        String component = asked.path("component");
        String window = asked.window();
        StormTopology topology = requireComponent(nimbus, id, component);
        ComponentPageInfo page = nimbus.getComponentPageInfo(id, component, window, asked.system());
        return components.page(page, executorsPerInstance(nimbus.getTopologyConf(id), topology, component),
            nimbus.getComponentPendingProfileActions(id, component, ProfileAction.JPROFILE_STOP), window, asked.user());
    }

    /** How many executors of a component share a process behind a stream manager; 0 if they run in workers. */
    private static int executorsPerInstance(String topologyConf, StormTopology topology, String component) {
        Map<String, Object> merged = new HashMap<>();
        if (JSONValue.parse(topologyConf) instanceof Map<?, ?> conf) {
            conf.forEach((key, value) -> merged.put(String.valueOf(key), value));
        }
        try {
            StreamConfiguration settings =
                new StreamConfiguration(OwnConfiguration.over(merged, Components.of(topology).get(component)));
            return settings.hasStreamManagers() ? settings.executorsPerInstance() : 0;
        } catch (IllegalArgumentException e) {
            return 0; // Its workers remove such a value.
        }
    }

    /** Nimbus has no error of its own for a component that does not exist. */
    static StormTopology requireComponent(Nimbus.Iface nimbus, String id, String component) throws HttpException, TException {
        StormTopology topology = nimbus.getTopology(id);
        if (!topology.get_spouts().containsKey(component) && !topology.get_bolts().containsKey(component)) {
            throw HttpException.notFound("The topology " + Parameters.shown(id) + " has no component " + Parameters.shown(component)
                + ". The address topology/ID lists its spouts and bolts.");
        }
        return topology;
    }

    private static GraphJson graph(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String window = asked.window();
        boolean system = asked.system();
        TopologyInfo executors = executors(nimbus, asked);
        return new GraphJson(nimbus.getTopology(asked.path("id")), asked.path("id"), executors.get_executors(), window, system);
    }

    private static TopologyInfo executors(Nimbus.Iface nimbus, Parameters asked) throws TException {
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(NumErrorsChoice.NONE);
        return nimbus.getTopologyInfoWithOpts(asked.path("id"), options);
    }
}
