package io.eyewall.scheduler.scaling;

import java.util.List;
import java.util.Map;

/**
 * The store through which clients send requests and get responses, and which keeps the log. Not thread-safe.
 *
 * <p>If a method throws an unchecked exception, the caller tries again in a later round.
 */
interface ScalingStore {

    /** All records, with and without a response. */
    List<ScalingRecord> records();

    /** Whether the user who made the record may rebalance the topology that has this configuration, merged with the cluster's. */
    boolean isByOwner(ScalingRecord record, Map<String, Object> topologyConf);

    /** Replaces a record by one that has the response; does nothing if the record is gone. */
    void respond(ScalingRecord record);

    /** Removes a record; does nothing if it is gone. */
    void remove(ScalingRecord record);

    /** The events in the log, oldest first; empty if there is no log yet. */
    List<ScalingEvent> events();

    /** Appends events to the log. */
    void log(List<ScalingEvent> events);
}
