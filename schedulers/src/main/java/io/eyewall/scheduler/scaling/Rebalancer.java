package io.eyewall.scheduler.scaling;

import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;

/** Asks Nimbus for a rebalance on behalf of the scheduler itself. */
@FunctionalInterface
interface Rebalancer {

    /** Returns when Nimbus has accepted the rebalance; throws what Nimbus throws if it refuses. */
    void rebalance(String topologyName, RebalanceOptions options) throws TException;
}
