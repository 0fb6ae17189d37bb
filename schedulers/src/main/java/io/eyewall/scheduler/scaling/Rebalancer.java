package io.eyewall.scheduler.scaling;

import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;

/** Asks Nimbus for a rebalance, as the scheduler itself. */
@FunctionalInterface
interface Rebalancer {

    /** Returns when Nimbus has agreed; throws what it says otherwise. */
    void rebalance(String topologyName, RebalanceOptions options) throws TException;
}
