package io.eyewall.client.acking;

import io.eyewall.client.seam.SpoutCollectors;
import io.eyewall.client.seam.woven.WovenProbes;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.storm.daemon.Acker;
import org.apache.storm.daemon.Task;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutOutputCollectorImpl;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Time;

/**
 * The collector of one spout task with a ledger. It enters messages with an id there. Messages without an id go upstream's way, which sends
 * nothing to ackers for them.
 */
final class LedgerSpoutCollector extends SpoutOutputCollectorImpl {

    private final SpoutCollectors.Request request;
    private final LedgerSpoutExecutor executor;
    private final Task task;
    private final int taskId;
    private final PendingMessages pending;
    private final RootIds rootIds;
    private final LongSupplier tupleIds;

    LedgerSpoutCollector(SpoutCollectors.Request request, LedgerSpoutExecutor executor, LongSupplier tupleIds) {
        super(request.spout(), executor, request.task(), request.emittedCount(), request.hasAckers(), request.random(),
            request.hasEventLoggers(), request.debug(), request.pending());
        this.request = request;
        this.executor = executor;
        task = request.task();
        taskId = task.getTaskId();
        pending = executor.pending();
        rootIds = new RootIds(taskId, request.random().nextLong());
        this.tupleIds = tupleIds;
    }

    @Override
    public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
        if (messageId == null) {
            return super.emit(streamId, values, null);
        }
        WovenProbes.rootEmitting(executor, streamId, values);
        request.emittedCount().increment();
        List<Integer> targets = task.getOutgoingTasks(streamId, values);
        send(streamId, values, messageId, targets);
        WovenProbes.emitted(executor);
        return targets;
    }

    @Override
    public void emitDirect(int targetTask, String streamId, List<Object> values, Object messageId) {
        if (messageId == null) {
            super.emitDirect(targetTask, streamId, values, null);
            return;
        }
        WovenProbes.rootEmitting(executor, streamId, values);
        request.emittedCount().increment();
        send(streamId, values, messageId, task.getOutgoingTasks(targetTask, streamId, values));
        WovenProbes.emitted(executor);
    }

    private void send(String streamId, List<Object> values, Object messageId, List<Integer> targets) {
        long root = rootIds.next();
        long outstanding = 0;
        for (int i = 0; i < targets.size(); i++) {
            long id = tupleIds.getAsLong();
            outstanding ^= id;
            TupleImpl tuple = new TupleImpl(executor.getWorkerTopologyContext(), values, executor.getComponentId(), taskId, streamId,
                new SingleAnchorMessageId(root, id));
            executor.getExecutorTransfer().tryTransfer(new AddressedTuple(targets.get(i), tuple), executor.getPendingEmits());
        }
        if (request.hasEventLoggers()) {
            task.sendToEventLogger(executor, values, executor.getComponentId(), messageId, request.random(), executor.getPendingEmits());
        }
        if (messageId instanceof RootListener listener) {
            listener.sent(root);
        }
        TupleInfo message = message(root, streamId, values, messageId);
        pending.emitted(message, outstanding);
        if (!task.getUserContext().getHooks().isEmpty()) {
            task.getOutgoingTasks(Acker.ACKER_INIT_STREAM_ID, List.of(root, outstanding, taskId)); // Hooks, as for upstream's tuple.
        }
        if (targets.isEmpty()) {
            executor.settleLater(message);
        }
    }

    private TupleInfo message(long root, String streamId, List<Object> values, Object messageId) {
        TupleInfo message = new TupleInfo();
        message.setTaskId(taskId);
        message.setStream(streamId);
        message.setMessageId(messageId);
        message.setRootId(root);
        if (request.debug()) {
            message.setValues(values);
        }
        if (executor.samplerCheck()) {
            message.setTimestamp(Time.currentTimeMillis());
        }
        return message;
    }
}
