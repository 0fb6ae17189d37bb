package io.eyewall.client.acking;

import io.eyewall.client.seam.BoltCollectors;
import io.eyewall.client.seam.woven.WovenProbes;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.storm.daemon.Acker;
import org.apache.storm.daemon.Task;
import org.apache.storm.executor.bolt.BoltOutputCollectorImpl;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.BoltFailInfo;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collector of one bolt task whose acks go to ledgers. It emits as upstream's does, and calls hooks and metrics in the same way. Used
 * by the executor's thread, and by threads of the bolt's own where upstream's collector allows that.
 */
final class LedgerBoltCollector extends BoltOutputCollectorImpl {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerBoltCollector.class);
    private static final long NOT_SAMPLED = -1;

    private final BoltCollectors.Request request;
    private final LedgerBoltExecutor executor;
    private final Task task;
    private final TopologyContext context;
    private final LongSupplier tupleIds;
    private final boolean debug;

    /** Created on the executor's thread. */
    LedgerBoltCollector(BoltCollectors.Request request, LedgerBoltExecutor executor, LongSupplier tupleIds) {
        super(executor, request.task(), request.random(), request.hasEventLoggers(), request.acking(), request.debug());
        this.request = request;
        this.executor = executor;
        this.tupleIds = tupleIds;
        task = request.task();
        context = task.getUserContext();
        debug = request.debug();
        executor.runsHere();
    }

    @Override
    public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
        WovenProbes.anchoring(executor, anchors);
        List<Integer> targets = task.getOutgoingTasks(streamId, values);
        send(streamId, anchors, values, targets);
        WovenProbes.emitted(executor);
        return targets;
    }

    @Override
    public void emitDirect(int targetTask, String streamId, Collection<Tuple> anchors, List<Object> values) {
        WovenProbes.anchoring(executor, anchors);
        send(streamId, anchors, values, task.getOutgoingTasks(targetTask, streamId, values));
        WovenProbes.emitted(executor);
    }

    @Override
    public void ack(Tuple input) {
        WovenProbes.acking(executor, input);
        long emitted = ((TupleImpl) input).getAckVal();
        if (input.getMessageId() instanceof SingleAnchorMessageId anchor) {
            executor.ack(anchor.root(), anchor.id() ^ emitted);
        } else {
            input.getMessageId().getAnchorsToIds().forEach((root, id) -> executor.ack(root, id ^ emitted));
        }
        if (!context.getHooks().isEmpty()) {
            input.getMessageId().getAnchorsToIds().forEach((root, id) -> report(Acker.ACKER_ACK_STREAM_ID, root, id ^ emitted));
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
            report(Acker.ACKER_FAIL_STREAM_ID, root);
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
            report(Acker.ACKER_RESET_TIMEOUT_STREAM_ID, root);
        }
    }

    @Override
    public void flush() {
        executor.flushAcks();
        super.flush();
    }

    private void send(String streamId, Collection<Tuple> anchors, List<Object> values, List<Integer> targets) {
        for (int i = 0; i < targets.size(); i++) {
            TupleImpl tuple = new TupleImpl(executor.getWorkerTopologyContext(), values, executor.getComponentId(), task.getTaskId(),
                streamId, anchors == null ? MessageId.makeUnanchored() : anchored(anchors));
            executor.getExecutorTransfer().tryTransfer(new AddressedTuple(targets.get(i), tuple), executor.getPendingEmits());
        }
        if (request.hasEventLoggers()) {
            task.sendToEventLogger(executor, values, executor.getComponentId(), null, request.random(), executor.getPendingEmits());
        }
    }

    /** Calls the task's hooks, if it has any, for the tuple to an acker that upstream's collector would emit. */
    private void report(String stream, Object... values) {
        if (!context.getHooks().isEmpty()) {
            task.getOutgoingTasks(stream, List.of(values));
        }
    }

    /** Creates the id of a tuple that is anchored to these, and adds it to each of them. */
    private MessageId anchored(Collection<Tuple> anchors) {
        if (anchors.size() == 1 && anchors.iterator().next() instanceof TupleImpl anchor
                && anchor.getMessageId() instanceof SingleAnchorMessageId tree) {
            long id = tupleIds.getAsLong();
            anchor.updateAckVal(id);
            return new SingleAnchorMessageId(tree.root(), id);
        }
        Map<Long, Long> anchorsToIds = new HashMap<>();
        for (Tuple anchor : anchors) {
            Set<Long> roots = anchor.getMessageId().getAnchors();
            if (!roots.isEmpty()) {
                long id = tupleIds.getAsLong();
                ((TupleImpl) anchor).updateAckVal(id);
                roots.forEach(root -> anchorsToIds.merge(root, id, (one, other) -> one ^ other));
            }
        }
        return MessageId.makeId(anchorsToIds);
    }

    /** The time for which the bolt has had the tuple, in ms; negative if Storm's metrics do not sample the tuple. */
    private long latencyMs(Tuple input, String verdict) {
        Long sinceMs = ((TupleImpl) input).getProcessSampleStartTime();
        long latencyMs = sinceMs == null ? NOT_SAMPLED : Time.deltaMs(sinceMs);
        if (debug) {
            LOG.info("Task {} {} after {} ms: {}", task.getTaskId(), verdict, latencyMs, input);
        }
        return latencyMs;
    }
}
