package io.eyewall.scheduler.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster's blobs, in which a scheduler exchanges data with clients and keeps what the next Nimbus needs. Not thread-safe.
 *
 * <p>A write fails if another Nimbus has written the blob since this one last read or wrote it.
 *
 * <p>If a method throws an unchecked exception, the caller tries again in a later round.
 */
public interface Blobs {

    /** The keys of all blobs that begin with a prefix. */
    List<String> keys(String prefix);

    /** The contents of a blob; empty if there is none, or if it is not complete yet. */
    Optional<byte[]> read(String key);

    /** The contents of a blob that {@link #write} has made; empty if there is none, or if a user has made one of that name. */
    Optional<byte[]> readOwn(String key);

    /** Lets clients have the newest contents of the blobs whose keys begin with a prefix, also where this Nimbus did not lead before. */
    void refresh(String prefix);

    /**
     * Whether everybody who can have written a blob may rebalance the topology that has this configuration, merged with the cluster's.
     * Without an authorizer, or where the cluster does not check who writes to blobs, everybody may.
     */
    boolean isByOwner(String key, Map<String, Object> topologyConf);

    /**
     * Whether everybody who can have written a blob may rebalance every topology. Without an authorizer everybody may; with one, nobody is
     * known to where the cluster does not check who writes to blobs.
     */
    boolean isByAdmin(String key);

    /** Creates a blob that every user can read and none can write, or replaces its contents. */
    void write(String key, byte[] contents);

    /** Replaces the contents of a blob; returns whether there is one. */
    boolean replace(String key, byte[] contents);

    /** Deletes a blob, if there is one. */
    void delete(String key);
}
