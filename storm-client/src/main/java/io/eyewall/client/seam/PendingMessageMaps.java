package io.eyewall.client.seam;

import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.utils.RotatingMap;

/**
 * The seam <em>pending-messages</em>: makes the map in which an executor of spout tasks keeps their messages that are neither acked nor
 * failed, by root id.
 */
@FunctionalInterface
public interface PendingMessageMaps {

    /** Upstream's way. */
    PendingMessageMaps UPSTREAM = Request::upstreamMap;

    /** Makes the map of one executor, on the executor's thread, which is the only one that uses it. */
    RotatingMap<Long, TupleInfo> messages(Request request);

    /**
     * The executor, and the arguments of upstream's map.
     *
     * @param executor the executor
     * @param buckets the number of ticks after which a message has timed out
     * @param expired called with each message that has timed out
     */
    record Request(SpoutExecutor executor, int buckets, RotatingMap.ExpiredCallback<Long, TupleInfo> expired) {

        /** The map that upstream would make. */
        public RotatingMap<Long, TupleInfo> upstreamMap() {
            return new RotatingMap<>(buckets, expired);
        }
    }
}
