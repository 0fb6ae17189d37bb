package io.eyewall.integration.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/**
 * Nimbus's operations on topologies, over Thrift with a connection for each call. All methods return when Nimbus has answered, which is
 * before the workers have followed. They throw {@link ClusterException} when Nimbus cannot be reached or refuses. Thread safe.
 */
public final class Topologies {

    private static final int CALL_TIMEOUT_MS = 60_000;

    private final String nimbusAddress;
    private final int nimbusPort;
    private final Map<String, Object> settings;

    /** Operations on the Nimbus at that address; {@code settings} are the client's, beside Storm's defaults. */
    public Topologies(String nimbusAddress, int nimbusPort, Map<String, Object> settings) {
        this.nimbusAddress = nimbusAddress;
        this.nimbusPort = nimbusPort;
        this.settings = Utils.readDefaultConfig();
        this.settings.putAll(settings);
        // Callers that wait for Nimbus call again themselves, so that one call makes one attempt.
        this.settings.put("storm.nimbus.retry.times", 1);
        this.settings.put("storm.nimbus.retry.interval.millis", 100);
        this.settings.put("storm.nimbus.retry.intervalceiling.millis", 100);
    }

    /** A call on Nimbus. */
    @FunctionalInterface
    public interface Call<T> {

        /** Makes the call. */
        T on(Nimbus.Iface nimbus) throws TException;
    }

    /** Makes any call on Nimbus. {@code what} says in messages what it is for. */
    public <T> T ask(String what, Call<T> call) {
        try (NimbusClient client = NimbusClient.Builder.withConf(settings).withTimeout(CALL_TIMEOUT_MS)
            .asUser((String) settings.get(Config.STORM_DO_AS_USER)).buildWithNimbusHostPort(nimbusAddress, nimbusPort)) {
            return call.on(client.getClient());
        } catch (TException | RuntimeException e) {
            throw new ClusterException("Nimbus did not " + what + ": " + e.getMessage(), e);
        }
    }

    /** The cluster as Nimbus sees it. */
    public ClusterSummary cluster() {
        return ask("describe the cluster", Nimbus.Iface::getClusterInfo);
    }

    /** The topology of this name, if there is one. */
    public Optional<TopologySummary> find(String name) {
        return ask("list the topologies", Nimbus.Iface::getTopologySummaries).stream()
            .filter(topology -> topology.get_name().equals(name)).findFirst();
    }

    /** The topology of this name with its executors and their counts; empty while Nimbus does not know all of it. */
    public Optional<TopologyInfo> info(String name) {
        return ask("describe topology " + name, nimbus -> {
            try {
                return Optional.of(nimbus.getTopologyInfoByName(name));
            } catch (NotAliveException notThere) {
                return Optional.empty();
            }
        });
    }

    /** The executors of the topology's component that have a worker. */
    public List<ExecutorSummary> executors(String name, String component) {
        return info(name).map(TopologyInfo::get_executors).orElse(List.of()).stream()
            .filter(executor -> executor.get_component_id().equals(component)).toList();
    }

    /** Kills the topology after deactivating it for {@code waitSecs}. */
    public void kill(String name, int waitSecs) {
        KillOptions options = new KillOptions();
        options.set_wait_secs(waitSecs);
        run("kill topology " + name, nimbus -> nimbus.killTopologyWithOpts(name, options));
    }

    /** Lets the spouts emit again. */
    public void activate(String name) {
        run("activate topology " + name, nimbus -> nimbus.activate(name));
    }

    /** Stops the spouts from emitting. */
    public void deactivate(String name) {
        run("deactivate topology " + name, nimbus -> nimbus.deactivate(name));
    }

    /** Schedules the topology anew, after deactivating it for {@code waitSecs}, with other numbers of executors for some components. */
    public void rebalance(String name, int waitSecs, Map<String, Integer> executors) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(waitSecs);
        options.set_num_executors(executors);
        rebalance(name, options);
    }

    /** Schedules the topology anew. */
    public void rebalance(String name, RebalanceOptions options) {
        run("rebalance topology " + name, nimbus -> nimbus.rebalance(name, options));
    }

    /** Gives the topology other credentials, which its workers fetch within {@code task.credentials.poll.secs}. */
    public void pushCredentials(String name, Map<String, String> credentials) {
        run("push credentials to topology " + name, nimbus -> nimbus.uploadNewCredentials(name, new Credentials(credentials)));
    }

    private void run(String what, VoidCall call) {
        ask(what, nimbus -> {
            call.on(nimbus);
            return null;
        });
    }

    /** A call on Nimbus that returns nothing. */
    @FunctionalInterface
    private interface VoidCall {

        void on(Nimbus.Iface nimbus) throws TException;
    }
}
