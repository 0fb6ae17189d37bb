package io.eyewall.scheduler.command;

import io.eyewall.scheduler.scaling.ScalingEvent;
import io.eyewall.scheduler.scaling.ScalingRecord;
import io.eyewall.scheduler.scaling.ScalingResponse;
import java.util.List;
import java.util.Optional;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;

/** The cluster, as the command needs it. Every method throws the exceptions of Nimbus and of the connection to it. Not thread-safe. */
interface ScalingClient {

    /** The cluster's scheduler. */
    SchedulerClient.SchedulerInfo scheduler() throws TException;

    /** Throws {@link org.apache.storm.generated.NotAliveException} if no topology with this name is running. */
    void checkAlive(String topologyName) throws TException;

    /** Submits a request to the scheduler. */
    void submit(ScalingRecord record) throws TException;

    /** The response to a submitted request, if there is one yet. */
    Optional<ScalingResponse> findResponse(ScalingRecord record) throws TException;

    /** Removes a request; does nothing if it is gone. */
    void withdraw(ScalingRecord record) throws TException;

    /** Asks Nimbus for a rebalance. */
    void rebalance(String topologyName, RebalanceOptions options) throws TException;

    /** The events in the log, oldest first; empty if there is no log. */
    List<ScalingEvent> log() throws TException;
}
