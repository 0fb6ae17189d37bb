package io.eyewall.core.security;

import io.eyewall.client.security.SecurityConfiguration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.StreamInfo;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.spout.CheckPointState;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.state.DefaultStateSerializer;
import org.apache.storm.state.InMemoryKeyValueStateProvider;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.state.Serializer;
import org.apache.storm.state.State;
import org.apache.storm.state.StateFactory;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.ThriftTopologyUtils;
import org.apache.storm.utils.Utils;

/** What a topology has checkpointed, as bytes. Any state provider will do that takes the names of serializers. For one thread. */
final class StoredStates {

    // How the configuration of a provider names what keys and values are, and what writes them.
    private static final String KEY = "key";
    private static final String VALUE = "value";
    private static final String CLASS = "Class";
    private static final String SERIALIZER = "SerializerClass";
    private static final List<String> SUFFIXES = List.of("", "-window", "-window-partitions", "-window-systemstate");

    private final Map<String, Object> conf;
    private final Map<String, Object> provider;
    private final TopologyContext context;
    private final Map<String, KeyValueState<byte[], byte[]>> opened = new HashMap<>();

    /**
     * Those of a topology.
     *
     * @param topology as its owner has submitted it
     * @throws IllegalArgumentException says why it has none
     */
    StoredStates(String id, StormTopology topology, Map<String, Object> conf) throws InvalidTopologyException {
        Object name = conf.get(Config.TOPOLOGY_STATE_PROVIDER);
        if (name == null || name.equals(InMemoryKeyValueStateProvider.class.getName())) {
            throw new IllegalArgumentException("the topology keeps no state outside its workers: " + Config.TOPOLOGY_STATE_PROVIDER + " is "
                + name);
        }
        this.conf = conf;
        provider = configuration(conf.get(Config.TOPOLOGY_STATE_PROVIDER_CONFIG));
        context = context(id, topology, conf);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> configuration(Object json) {
        return json instanceof String text && JSONValue.parse(text) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    /** Like a worker's, which gives the numbers of components and streams to the tuples that windows keep. */
    private static TopologyContext context(String id, StormTopology topology, Map<String, Object> conf) throws InvalidTopologyException {
        StormTopology whole = StormCommon.systemTopology(conf, topology);
        Map<Integer, String> components = StormCommon.stormTaskInfo(topology, conf);
        Map<String, List<Integer>> tasks = new HashMap<>();
        new TreeMap<>(components).forEach((task, component) -> tasks.computeIfAbsent(component, any -> new ArrayList<>()).add(task));
        Map<String, Map<String, Fields>> fields = new HashMap<>();
        for (String component : ThriftTopologyUtils.getComponentIds(whole)) {
            Map<String, Fields> streams = new HashMap<>();
            for (Map.Entry<String, StreamInfo> stream : Utils.getComponentCommon(whole, component).get_streams().entrySet()) {
                streams.put(stream.getKey(), new Fields(stream.getValue().get_output_fields()));
            }
            fields.put(component, streams);
        }
        int first = components.keySet().stream().mapToInt(Integer::intValue).min().orElse(1);
        return new TopologyContext(whole, conf, components, tasks, fields, Map.of(), id, "", "", first, 0, List.of(first), new HashMap<>(),
            new HashMap<>(), new HashMap<>(), new HashMap<>(), new AtomicBoolean(), null);
    }

    /** The namespaces in which tasks of the topology may have something. */
    List<String> namespaces() {
        List<String> namespaces = new ArrayList<>();
        new TreeMap<>(context.getTaskToComponent()).forEach((task, component) -> {
            if (component.equals(CheckpointSpout.CHECKPOINT_COMPONENT_ID)) {
                namespaces.add(component + "-" + task);
            } else if (!component.startsWith("__") && context.getRawTopology().get_bolts().containsKey(component)) {
                SUFFIXES.forEach(suffix -> namespaces.add(component + "-" + task + suffix));
            }
        });
        return namespaces;
    }

    /** What a namespace has, prepared or committed. */
    List<Map.Entry<byte[], byte[]>> entries(String namespace) {
        List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>();
        open(namespace).forEach(entry -> entries.add(Map.entry(entry.getKey(), entry.getValue())));
        return entries;
    }

    /** Whether a checkpoint has begun that has not ended. */
    boolean isUnderWay() {
        Serializer<Object> values = serializer(conf, VALUE);
        return values != null && namespaces().stream().filter(namespace -> namespace.startsWith(CheckpointSpout.CHECKPOINT_COMPONENT_ID))
            .flatMap(namespace -> entries(namespace).stream()).map(entry -> values.deserialize(entry.getValue()))
            .anyMatch(state -> state instanceof CheckPointState point && point.getState() != CheckPointState.State.COMMITTED);
    }

    /**
     * Entries as a topology with these classes in {@link Config#TOPOLOGY_STATE_KRYO_REGISTER} would have written them.
     *
     * @param all the classes that are to be registered
     * @param added those of them that the topology's configuration does not have
     * @throws IllegalArgumentException names a class that nobody expects
     */
    List<Map.Entry<byte[], byte[]>> registered(List<Map.Entry<byte[], byte[]>> entries, List<Object> all, List<String> added) {
        Map<String, Object> before = new HashMap<>(conf);
        List<String> expected = new ArrayList<>(new SecurityConfiguration(conf).stateClasses());
        expected.addAll(added);
        before.put(SecurityConfiguration.STATE_CLASSES, expected);
        Map<String, Object> after = new HashMap<>(conf);
        after.put(Config.TOPOLOGY_STATE_KRYO_REGISTER, all);
        Conversion keys = new Conversion(serializer(before, KEY), serializer(after, KEY));
        Conversion values = new Conversion(serializer(before, VALUE), serializer(after, VALUE));
        return entries.stream().map(entry -> Map.entry(keys.of(entry.getKey()), values.of(entry.getValue()))).toList();
    }

    /** Puts entries in the place of others, in one write. */
    void replace(String namespace, List<Map.Entry<byte[], byte[]>> entries, List<Map.Entry<byte[], byte[]>> others) {
        KeyValueState<byte[], byte[]> state = open(namespace);
        entries.forEach(entry -> state.delete(entry.getKey()));
        others.forEach(entry -> state.put(entry.getKey(), entry.getValue()));
        state.commit();
    }

    /** The classes that the provider's configuration registers. */
    List<String> providersClasses() {
        return Stream.of(KEY, VALUE).map(part -> provider.get(part + CLASS)).filter(Objects::nonNull).map(String::valueOf).toList();
    }

    private Serializer<Object> serializer(Map<String, Object> configuration, String part) {
        if (provider.get(part + SERIALIZER) != null) {
            return null;
        }
        List<Class<?>> classes = new ArrayList<>();
        if (provider.get(part + CLASS) instanceof String name) {
            try {
                classes.add(Class.forName(name));
            } catch (ClassNotFoundException e) {
                throw new IllegalArgumentException("the jar has no class " + name, e);
            }
        }
        return new DefaultStateSerializer<>(configuration, context, classes);
    }

    @SuppressWarnings("unchecked")
    private KeyValueState<byte[], byte[]> open(String namespace) {
        return opened.computeIfAbsent(namespace, any -> {
            Map<String, Object> raw = new HashMap<>(provider);
            Stream.of(KEY, VALUE).forEach(part -> raw.put(part + SERIALIZER, RawState.class.getName()));
            Map<String, Object> configuration = new HashMap<>(conf);
            configuration.put(Config.TOPOLOGY_STATE_PROVIDER_CONFIG, JSONValue.toJSONString(raw));
            State state = StateFactory.getState(namespace, configuration, context);
            if (state instanceof KeyValueState<?, ?> pairs) {
                return (KeyValueState<byte[], byte[]>) pairs;
            }
            throw new IllegalArgumentException(conf.get(Config.TOPOLOGY_STATE_PROVIDER) + " keeps no keys and values");
        });
    }

    /** From what one serializer has written to what another one writes; neither is there where the topology has its own. */
    private record Conversion(Serializer<Object> from, Serializer<Object> to) {

        byte[] of(byte[] bytes) {
            if (from == null) {
                return bytes;
            }
            byte[] written = to.serialize(from.deserialize(bytes));
            to.deserialize(written);
            return written;
        }
    }
}
