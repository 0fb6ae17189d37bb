package io.eyewall.client.seam;

import java.util.Random;
import org.apache.storm.daemon.Task;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.executor.spout.SpoutOutputCollectorImpl;
import org.apache.storm.spout.ISpout;
import org.apache.storm.utils.MutableLong;
import org.apache.storm.utils.RotatingMap;

/**
 * The seam <em>spout-collector</em>: makes the collector through which a spout task emits.
 */
@FunctionalInterface
public interface SpoutCollectors {

    /** Upstream's way. */
    SpoutCollectors UPSTREAM = Request::upstreamCollector;

    /** Makes the collector of one spout task, on the executor's thread, which is the only one that uses it. */
    SpoutOutputCollectorImpl collector(Request request);

    /**
     * The task, and the arguments of upstream's collector.
     *
     * @param spout the user's spout
     * @param executor the task's executor
     * @param task the task
     * @param emittedCount counts the emits of the executor; written by the executor's thread
     * @param hasAckers whether the topology has ackers
     * @param random the executor's source of tuple ids
     * @param hasEventLoggers whether the topology has event loggers
     * @param debug whether every emit is logged
     * @param pending the tuples that are neither acked nor failed, by root id; used by the executor's thread
     */
    record Request(ISpout spout, SpoutExecutor executor, Task task, MutableLong emittedCount, boolean hasAckers, Random random,
            Boolean hasEventLoggers, Boolean debug, RotatingMap<Long, TupleInfo> pending) {

        /** The collector that upstream would make. */
        public SpoutOutputCollectorImpl upstreamCollector() {
            return new SpoutOutputCollectorImpl(spout, executor, task, emittedCount, hasAckers, random, hasEventLoggers, debug, pending);
        }
    }
}
