package io.eyewall.scheduler.balanced;

import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.settings.tail.TailConfiguration;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.nimbus.DefaultTopologyValidator;
import org.apache.storm.nimbus.ITopologyValidator;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * Turns on latency-based load balancing for each topology that does not configure it, unless the topology lets its workers decide
 * ({@code topology.tail.latency: auto}). Refuses topologies with invalid values of its keys. Both hold for all clients, upstream's
 * included. Set {@code nimbus.topology.validator} in Nimbus's {@code storm.yaml} to this class to use it.
 *
 * <p>It is a validator, since Nimbus keeps for the workers the configuration that its validator has seen; a scheduler only sees a copy. It
 * also checks what Storm's default validator checks. Thread-safe.
 */
public final class BalancedByDefault implements ITopologyValidator {

    private final DefaultTopologyValidator defaultValidator = new DefaultTopologyValidator();

    @Override
    public void prepare(Map<String, Object> stormConf) {
        defaultValidator.prepare(stormConf);
    }

    @Override
    public void validate(String topologyName, Map<String, Object> topologyConf, StormTopology topology) throws InvalidTopologyException {
        defaultValidator.validate(topologyName, topologyConf, topology);
        try {
            new BalancingConfiguration(topologyConf);
            if (!new TailConfiguration(topologyConf).isAutomatic()) {
                topologyConf.putIfAbsent(BalancingConfiguration.BALANCING, true);
            }
        } catch (IllegalArgumentException e) {
            throw new WrappedInvalidTopologyException(e.getMessage());
        }
    }
}
