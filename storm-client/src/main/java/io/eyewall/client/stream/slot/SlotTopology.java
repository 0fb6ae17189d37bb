package io.eyewall.client.stream.slot;

import io.eyewall.client.acking.LedgerAckingFeature;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.client.stream.plan.InstancePlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.daemon.Acker;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.supervisor.AdvancedFSOps;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.ConfigUtils;

/** The topology of a slot, from the Supervisor's directory. Immutable, except for changes of the caller's to the configuration. */
public final class SlotTopology implements InstancePlan.Components {

    private final Map<String, Object> conf;
    private final StormTopology topology;
    private final Map<Integer, String> components;

    /**
     * Reads the topology.
     *
     * @param stormConf the cluster's configuration
     * @throws IOException if the Supervisor's directory does not have it
     */
    public SlotTopology(Slot slot, Map<String, Object> stormConf) throws IOException, InvalidTopologyException {
        conf = ConfigUtils.overrideLoginConfigWithSystemProperty(ConfigUtils.readSupervisorStormConf(stormConf, slot.topologyId()));
        topology = ConfigUtils.readSupervisorTopology(stormConf, slot.topologyId(), AdvancedFSOps.make(stormConf));
        components = StormCommon.stormTaskInfo(topology, conf);
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
        return topology.get_spouts().containsKey(component);
    }

    /** The configuration of a component on top of the topology's. */
    public Map<String, Object> conf(String component) {
        Map<String, Object> merged = new HashMap<>(conf);
        Object definition = StormCommon.allComponents(topology).get(component);
        if (definition != null) {
            merged.putAll(OwnConfiguration.of(StormCommon.getComponentCommon(definition)));
        }
        return merged;
    }

    @Override
    public String of(int task) {
        return components.get(task);
    }

    @Override
    public int executorsPerInstance(String component) {
        return new StreamConfiguration(conf(component)).executorsPerInstance();
    }

    @Override
    public boolean hasNoWork(String component) {
        return component.equals(Acker.ACKER_COMPONENT_ID) && LedgerAckingFeature.keepsLedgers(conf);
    }

    /** The plan for an assignment. */
    public InstancePlan plan(Assignment assignment) {
        return InstancePlan.of(assignment, this);
    }
}
