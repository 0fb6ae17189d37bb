package io.eyewall.client.acking;

import io.eyewall.client.seam.BoltCollectors;
import io.eyewall.client.seam.WovenProbes;
import java.util.Map;
import org.apache.storm.daemon.Task;
import org.apache.storm.executor.bolt.BoltOutputCollectorImpl;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.BoltFailInfo;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collector of one bolt task whose acks go to ledgers. It emits as upstream's does, and tells hooks and metrics the same. Used by the
 * executor's thread, and by threads of the bolt's own as far as the bolt may use upstream's.
 */
final class LedgerBoltCollector extends BoltOutputCollectorImpl {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerBoltCollector.class);
    private static final long NOT_SAMPLED = -1;

    private final LedgerBoltExecutor executor;
    private final Task task;
    private final TopologyContext context;
    private final boolean debug;

    /** Made on the executor's thread. */
    LedgerBoltCollector(BoltCollectors.Request request, LedgerBoltExecutor executor) {
        super(executor, request.task(), request.random(), request.hasEventLoggers(), request.acking(), request.debug());
        this.executor = executor;
        task = request.task();
        context = task.getUserContext();
        debug = request.debug();
        executor.runsHere();
    }

    @Override
    public void ack(Tuple input) {
        WovenProbes.acking(executor, input);
        long emitted = ((TupleImpl) input).getAckVal();
        for (Map.Entry<Long, Long> anchor : input.getMessageId().getAnchorsToIds().entrySet()) {
            executor.ack(anchor.getKey(), anchor.getValue() ^ emitted);
        }
        long latencyMs = latencyMs(input, "acks");
        if (!context.getHooks().isEmpty()) {
            new BoltAckInfo(input, task.getTaskId(), latencyMs).applyOn(context);
        }
        if (latencyMs >= 0) {
            executor.getStats().boltAckedTuple(input.getSourceComponent(), input.getSourceStreamId(), latencyMs);
            task.getTaskMetrics().boltAckedTuple(input.getSourceComponent(), input.getSourceStreamId(), latencyMs);
        }
    }

    @Override
    public void fail(Tuple input) {
        for (long root : input.getMessageId().getAnchors()) {
            executor.fail(root);
        }
        long latencyMs = latencyMs(input, "fails");
        if (!context.getHooks().isEmpty()) {
            new BoltFailInfo(input, task.getTaskId(), latencyMs).applyOn(context);
        }
        if (latencyMs >= 0) {
            executor.getStats().boltFailedTuple(input.getSourceComponent(), input.getSourceStreamId());
            task.getTaskMetrics().boltFailedTuple(input.getSourceComponent(), input.getSourceStreamId());
        }
    }

    @Override
    public void resetTimeout(Tuple input) {
        for (long root : input.getMessageId().getAnchors()) {
            executor.resetTimeout(root);
        }
    }

    @Override
    public void flush() {
        executor.flushAcks();
        super.flush();
    }

    /** How long the bolt has had the tuple, or a negative number if Storm's metrics do not sample it. */
    private long latencyMs(Tuple input, String verdict) {
        Long sinceMs = ((TupleImpl) input).getProcessSampleStartTime();
        long latencyMs = sinceMs == null ? NOT_SAMPLED : Time.deltaMs(sinceMs);
        if (debug) {
            LOG.info("Task {} {} after {} ms: {}", task.getTaskId(), verdict, latencyMs, input);
        }
        return latencyMs;
    }
}
