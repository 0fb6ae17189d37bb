package io.eyewall.core.security;

import io.eyewall.client.security.Redaction;
import io.eyewall.client.security.SecurityConfiguration;
import io.eyewall.client.security.StateKryo;
import io.eyewall.core.report.CommandArguments;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.TopologyStatus;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/**
 * {@code storm state}: which classes a topology's checkpointed state names that its workers would refuse (CVE-2026-82436), without making
 * an object of them; and, with {@code --register}, writes the state anew with classes that are registered. For one thread.
 */
public final class StateCommand {

    private static final String NAME = "storm state: ";
    private static final String REGISTER = "--register";

    private final Nimbus.Iface nimbus;
    private final Map<String, Object> overrides;
    private final PrintStream out;
    private final PrintStream err;

    /** Takes these values in the place of the topology's own. */
    StateCommand(Nimbus.Iface nimbus, Map<String, Object> overrides, PrintStream out, PrintStream err) {
        this.nimbus = nimbus;
        this.overrides = overrides;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the command. The exit code is 0, 1 if it cannot be done, or 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus or the store cannot be reached
     */
    public static void main(String[] args) throws Exception {
        int exitCode;
        try (NimbusClient client = NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            exitCode = new StateCommand(client.getClient(), Utils.readCommandLineOpts(), System.out, System.err).run(args);
        }
        System.exit(exitCode);
    }

    int run(String... args) throws TException {
        CommandArguments arguments;
        try {
            arguments = new CommandArguments(args, Map.of(REGISTER, 1));
            if (arguments.words().isEmpty()) {
                throw new IllegalArgumentException("the name of a topology is missing");
            }
        } catch (IllegalArgumentException e) {
            err.println(NAME + e.getMessage());
            return 2;
        }
        try {
            String topology = arguments.words().get(0);
            TopologySummary summary = summary(topology);
            Map<String, Object> conf = configuration(summary.get_id());
            StoredStates states = new StoredStates(summary.get_id(), nimbus.getUserTopology(summary.get_id()), conf);
            List<String> namespaces = namespaces(states, arguments.words().subList(1, arguments.words().size()));
            if (arguments.has(REGISTER)) {
                register(summary, states, namespaces, conf, List.of(arguments.required(REGISTER).split(",", -1)));
            } else {
                list(states, namespaces, conf);
            }
            return 0;
        } catch (IllegalArgumentException | IllegalStateException e) {
            err.println(NAME + e.getMessage());
            return 1;
        }
    }

    private TopologySummary summary(String topology) throws TException {
        return nimbus.getClusterInfo().get_topologies().stream().filter(one -> one.get_name().equals(topology)).findAny()
            .orElseThrow(() -> new IllegalArgumentException("no topology " + topology + " is running"));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> configuration(String id) throws TException {
        Map<String, Object> conf = new HashMap<>(Utils.readStormConfig());
        conf.putAll((Map<String, Object>) JSONValue.parse(nimbus.getTopologyConf(id)));
        for (String key : List.of(Config.TOPOLOGY_STATE_PROVIDER, Config.TOPOLOGY_STATE_PROVIDER_CONFIG)) {
            if (overrides.containsKey(key)) {
                conf.put(key, overrides.get(key));
            }
        }
        if (String.valueOf(conf.get(Config.TOPOLOGY_STATE_PROVIDER_CONFIG)).contains(Redaction.MASK)) {
            throw new IllegalArgumentException("Nimbus does not return the password of the store. Give the whole value with -c '"
                + Config.TOPOLOGY_STATE_PROVIDER_CONFIG + "=...'");
        }
        return conf;
    }

    private static List<String> namespaces(StoredStates states, List<String> given) {
        List<String> all = states.namespaces();
        for (String name : given) {
            if (!all.contains(name)) {
                throw new IllegalArgumentException("the topology has no task with a state " + name + "; there are "
                    + String.join(", ", all));
            }
        }
        return given.isEmpty() ? all : given;
    }

    private void list(StoredStates states, List<String> namespaces, Map<String, Object> conf) {
        StateKryo kryo = new StateKryo(new SecurityConfiguration(conf).stateClasses());
        List<String> registered = Stream.concat(names(conf).stream(), states.providersClasses().stream()).toList();
        Set<String> unexpected = new TreeSet<>();
        int entries = 0;
        for (String namespace : namespaces) {
            List<Map.Entry<byte[], byte[]>> stored = states.entries(namespace);
            if (stored.isEmpty()) {
                continue;
            }
            Set<String> found = new TreeSet<>();
            stored.forEach(entry -> Stream.of(entry.getKey(), entry.getValue()).flatMap(bytes -> WrittenClasses.in(bytes).stream())
                .filter(name -> !registered.contains(name) && !kryo.isExpected(name)).forEach(found::add));
            out.println(namespace + ": " + stored.size() + " entries" + (found.isEmpty() ? "" : " with " + String.join(", ", found)));
            unexpected.addAll(found);
            entries += stored.size();
        }
        if (unexpected.isEmpty()) {
            out.println("Workers read all of the " + entries + " entries: they name no class that is not expected.");
        } else {
            out.println("Workers refuse the classes that are listed. Add those which the topology keeps in its state to "
                + SecurityConfiguration.STATE_CLASSES + ": " + JSONValue.toJSONString(List.copyOf(unexpected)));
        }
    }

    private void register(TopologySummary summary, StoredStates states, List<String> namespaces, Map<String, Object> conf,
                          List<String> classes) {
        if (!summary.get_status().equals(TopologyStatus.INACTIVE.name())) {
            throw new IllegalStateException("the topology is " + summary.get_status() + ". Deactivate it, and wait for its"
                + " checkpoint to end: storm deactivate " + summary.get_name());
        }
        if (states.isUnderWay()) {
            throw new IllegalStateException("a checkpoint has begun and has not ended. Activate the topology for a while:"
                + " storm activate " + summary.get_name());
        }
        List<Object> all = new ArrayList<>(list(conf));
        all.addAll(classes);
        Stream.of(names(conf), classes, states.providersClasses()).flatMap(List::stream).forEach(StateCommand::require);
        Map<String, List<Map.Entry<byte[], byte[]>>> before = new LinkedHashMap<>();
        Map<String, List<Map.Entry<byte[], byte[]>>> after = new LinkedHashMap<>();
        for (String namespace : namespaces) {
            List<Map.Entry<byte[], byte[]>> entries = states.entries(namespace);
            if (!entries.isEmpty()) {
                before.put(namespace, entries);
                after.put(namespace, states.registered(entries, all, classes));
            }
        }
        List<String> left = new ArrayList<>(before.keySet());
        for (String namespace : before.keySet()) {
            try {
                states.replace(namespace, before.get(namespace), after.get(namespace));
            } catch (RuntimeException e) {
                throw new IllegalStateException("the store did not take the new state of " + namespace + " (" + e.getMessage()
                    + "). Run the command again for what is left: " + String.join(" ", left), e);
            }
            left.remove(namespace);
            out.println(namespace + ": " + before.get(namespace).size() + " entries written anew");
        }
        out.println("Kill the topology, and submit it with " + Config.TOPOLOGY_STATE_KRYO_REGISTER + ": "
            + JSONValue.toJSONString(all));
    }

    /** The classes that the topology registers, each a name or a map from a name to a serializer. */
    private static List<?> list(Map<String, Object> conf) {
        return conf.get(Config.TOPOLOGY_STATE_KRYO_REGISTER) instanceof List<?> list ? list : List.of();
    }

    private static List<String> names(Map<String, Object> conf) {
        return list(conf).stream().flatMap(one -> one instanceof Map<?, ?> map ? map.keySet().stream() : Stream.of(one))
            .map(String::valueOf).toList();
    }

    /** Upstream leaves a class out that it does not find, and all numbers behind it are others then. */
    private static void require(String name) {
        try {
            Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("the jar has no class " + name, e);
        }
    }
}
