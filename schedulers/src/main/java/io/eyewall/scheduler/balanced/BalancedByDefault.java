package io.eyewall.scheduler.balanced;

import io.eyewall.client.tail.BalancingConfiguration;
import io.eyewall.client.tail.TailConfiguration;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.nimbus.DefaultTopologyValidator;
import org.apache.storm.nimbus.ITopologyValidator;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * Writes latency-based load balancing into the configuration of each topology that says nothing of it, nor has its workers decide, whatever
 * client submits it; and refuses the ones that say something of it that cannot be. To be named in Nimbus's {@code storm.yaml} as
 * {@code nimbus.topology.validator}: what Nimbus validates is what it keeps for the workers, and the only thing that a scheduler sees of it
 * is a copy. Checks what Storm's default validator checks as well. Safe for any thread.
 */
public final class BalancedByDefault implements ITopologyValidator {

    private final DefaultTopologyValidator upstreams = new DefaultTopologyValidator();

    @Override
    public void prepare(Map<String, Object> stormConf) {
        upstreams.prepare(stormConf);
    }

    @Override
    public void validate(String topologyName, Map<String, Object> topologyConf, StormTopology topology) throws InvalidTopologyException {
        upstreams.validate(topologyName, topologyConf, topology);
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
