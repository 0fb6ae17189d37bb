package io.eyewall.client.seam;

import java.util.Random;
import org.apache.storm.daemon.Task;
import org.apache.storm.executor.bolt.BoltExecutor;
import org.apache.storm.executor.bolt.BoltOutputCollectorImpl;

/**
 * The seam <em>bolt-collector</em>: makes the collector through which a bolt task emits, acks and fails.
 */
@FunctionalInterface
public interface BoltCollectors {

    /** Upstream's way. */
    BoltCollectors UPSTREAM = Request::upstreamCollector;

    /** Makes the collector of one bolt task, on the executor's thread, which is the only one that uses it. */
    BoltOutputCollectorImpl collector(Request request);

    /**
     * The task, and the arguments of upstream's collector.
     *
     * @param executor the task's executor
     * @param task the task
     * @param random the executor's source of tuple ids
     * @param hasEventLoggers whether the topology has event loggers
     * @param acking whether the topology has ackers
     * @param debug whether every emit is logged
     */
    record Request(BoltExecutor executor, Task task, Random random, boolean hasEventLoggers, boolean acking, boolean debug) {

        /** The collector that upstream would make. */
        public BoltOutputCollectorImpl upstreamCollector() {
            return new BoltOutputCollectorImpl(executor, task, random, hasEventLoggers, acking, debug);
        }
    }
}
