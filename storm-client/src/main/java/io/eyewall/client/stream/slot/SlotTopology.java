package io.eyewall.client.stream.slot;

import io.eyewall.client.acking.LedgerAckingFeature;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.settings.SubmittedSettings;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.client.stream.plan.InstancePlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.daemon.Acker;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.supervisor.AdvancedFSOps;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;

/**
 * The topology of a slot, as it lies in the Supervisor's directory. Components' own configurations are read once. Immutable, except for
 * what the caller does to the configuration.
 */
public final class SlotTopology implements InstancePlan.Components {

    /** Storm's default of {@link Config#TOPOLOGY_COMPONENT_RESOURCES_ONHEAP_MEMORY_MB}. */
    private static final double EXECUTOR_HEAP_MB = 128;

    private final Map<String, Object> conf;
    private final Map<Integer, String> components;
    private final Map<String, Component> byName = new HashMap<>();
    /** Null before the first one. */
    private volatile InstancePlan lastPlan;

    /** What is asked of a component. */
    private record Component(boolean isSpout, Set<String> sources, int executorsPerInstance, double heapMb) {
    }

    /**
     * Reads the topology.
     *
     * @param stormConf the cluster's configuration
     * @throws IOException if the Supervisor's directory does not have it
     */
    public SlotTopology(Slot slot, Map<String, Object> stormConf) throws IOException, InvalidTopologyException {
        this(ConfigUtils.overrideLoginConfigWithSystemProperty(ConfigUtils.readSupervisorStormConf(stormConf, slot.topologyId())),
            ConfigUtils.readSupervisorTopology(stormConf, slot.topologyId(), AdvancedFSOps.make(stormConf)));
    }

    /** The topology with this merged configuration. Values of components that are not allowed are removed from it. */
    SlotTopology(Map<String, Object> conf, StormTopology topology) throws InvalidTopologyException {
        this.conf = conf;
        SubmittedSettings.removeBadValues(topology);
        components = StormCommon.stormTaskInfo(topology, conf);
        Map<String, Object> definitions = StormCommon.allComponents(topology);
        for (String name : Set.copyOf(components.values())) {
            Map<String, Object> own = Map.of();
            Set<String> sources = Set.of();
            Object definition = definitions.get(name); // Storm's own components have none.
            if (definition != null) {
                ComponentCommon common = StormCommon.getComponentCommon(definition);
                own = OwnConfiguration.of(common);
                sources = common.get_inputs().keySet().stream().map(GlobalStreamId::get_componentId).collect(Collectors.toSet());
            }
            Map<String, Object> merged = new HashMap<>(conf);
            merged.putAll(own);
            byName.put(name, new Component(topology.get_spouts().containsKey(name), sources,
                new StreamConfiguration(merged).executorsPerInstance(),
                Stream.of(own, conf).flatMap(keys -> heapMb(keys).stream()).findFirst().orElse(EXECUTOR_HEAP_MB)));
        }
    }

    /**
     * The heap that some keys give to an executor, in MB. As for Storm's schedulers, the map of resources has the first word, and either
     * name is valid there.
     */
    private static Optional<Double> heapMb(Map<String, Object> keys) {
        Map<?, ?> resources = keys.get(Config.TOPOLOGY_COMPONENT_RESOURCES_MAP) instanceof Map<?, ?> map ? map : Map.of();
        return Stream.of(resources.get(Constants.COMMON_ONHEAP_MEMORY_RESOURCE_NAME),
                resources.get(Config.TOPOLOGY_COMPONENT_RESOURCES_ONHEAP_MEMORY_MB),
                keys.get(Config.TOPOLOGY_COMPONENT_RESOURCES_ONHEAP_MEMORY_MB))
            .filter(Objects::nonNull).findFirst().map(ObjectReader::getDouble);
    }

    /** The merged configuration of the topology. */
    public Map<String, Object> conf() {
        return conf;
    }

    /** The component of each task, Storm's own included. */
    public Map<Integer, String> components() {
        return components;
    }

    @Override
    public boolean isSpout(String component) {
        return byName.get(component).isSpout();
    }

    @Override
    public Set<String> sources(String component) {
        return byName.get(component).sources();
    }

    @Override
    public String of(int task) {
        return components.get(task);
    }

    @Override
    public int executorsPerInstance(String component) {
        return byName.get(component).executorsPerInstance();
    }

    /** The heap that the resource keys give to an executor of a component, in MB. */
    public double heapMb(String component) {
        return byName.get(component).heapMb();
    }

    @Override
    public boolean hasNoWork(String component) {
        return component.equals(Acker.ACKER_COMPONENT_ID) && LedgerAckingFeature.keepsLedgers(conf);
    }

    /** The plan for an assignment: the last one, if the assignment is the same. For any thread. */
    public InstancePlan plan(Assignment assignment) {
        InstancePlan plan = lastPlan;
        if (plan == null || !plan.isOf(assignment)) {
            plan = InstancePlan.of(assignment, this);
            lastPlan = plan;
        }
        return plan;
    }
}
