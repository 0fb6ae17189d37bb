package io.eyewall.scheduler.cluster;

import java.util.Map;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.NimbusLeaderNotFoundException;

/** Asks Nimbus for a rebalance. */
@FunctionalInterface
public interface Rebalancer {

    /**
     * Asks for the rebalance of a topology; returns before it is done.
     *
     * @throws TException if Nimbus cannot be reached or refuses
     */
    void rebalance(String topologyName, RebalanceOptions options) throws TException;

    /** Asks through Nimbus's Thrift interface, with Nimbus's own credentials. */
    static Rebalancer overThrift(Map<String, Object> conf) {
        return (topologyName, options) -> {
            try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
                nimbus.getClient().rebalance(topologyName, options);
            } catch (NimbusLeaderNotFoundException e) {
                throw new TException(e.getMessage(), e);
            }
        };
    }
}
