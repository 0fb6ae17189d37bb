package io.eyewall.scheduler.command;

import io.eyewall.scheduler.scaling.ScalingEvent;
import io.eyewall.scheduler.scaling.ScalingRecord;
import io.eyewall.scheduler.scaling.ScalingResponse;
import java.util.List;
import java.util.Optional;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;

/** What the command needs of a cluster. Every method may throw what Nimbus, or the way to it, says. For one thread. */
interface ScalingClient {

    /** The class of the cluster's scheduler, and how many seconds lie between two of its rounds. */
    SchedulerInfo scheduler() throws TException;

    /** Whether Nimbus knows a topology of that name; throws {@link org.apache.storm.generated.NotAliveException} if not. */
    void checkAlive(String topologyName) throws TException;

    void post(ScalingRecord post) throws TException;

    /** The answer to an order that was posted, once it is there. */
    Optional<ScalingResponse> answer(ScalingRecord post) throws TException;

    /** Takes an order away; does nothing if it is gone. */
    void withdraw(ScalingRecord post) throws TException;

    void rebalance(String topologyName, RebalanceOptions options) throws TException;

    /** The action log, oldest first; empty if there is none. */
    List<ScalingEvent> log() throws TException;

    /**
     * The scheduler of a cluster.
     *
     * @param className its class, empty where the cluster has Storm's default
     * @param roundSecs how many seconds lie between two rounds
     */
    record SchedulerInfo(String className, int roundSecs) {
    }
}
