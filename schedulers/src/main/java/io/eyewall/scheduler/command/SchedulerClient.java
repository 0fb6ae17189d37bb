package io.eyewall.scheduler.command;

import java.util.Map;
import java.util.Optional;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;

/**
 * What commands need of a cluster: blobs, which the scheduler reads and writes too, and rebalances. Every method throws what Nimbus, or the
 * connection to it, throws. Not thread-safe.
 */
interface SchedulerClient {

    /** The cluster's scheduler. */
    SchedulerInfo scheduler() throws TException;

    /** The hosts of all Supervisors, by the Supervisors' ids. */
    Map<String, String> supervisors() throws TException;

    /** Throws {@link org.apache.storm.generated.NotAliveException} if no topology with this name is running. */
    void checkAlive(String topologyName) throws TException;

    /** Asks Nimbus for a rebalance. */
    void rebalance(String topologyName, RebalanceOptions options) throws TException;

    /** Creates a blob that only this user and Nimbus can read and write. */
    void create(String key, byte[] contents) throws TException;

    /** The contents of a blob; empty if there is none. */
    Optional<byte[]> read(String key) throws TException;

    /** Deletes a blob; does nothing if it is gone. */
    void delete(String key) throws TException;

    /**
     * The scheduler of a cluster.
     *
     * @param className its class name, empty if the cluster uses Storm's default scheduler
     * @param roundSecs the time between two of its rounds, in seconds
     */
    record SchedulerInfo(String className, int roundSecs) {

        /** Its name for a person. */
        String readableName() {
            return className.isEmpty() ? "Storm's default" : className;
        }
    }
}
