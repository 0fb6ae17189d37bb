package io.eyewall.client.hot;

import io.eyewall.client.engine.PendingEmits;
import io.eyewall.client.engine.WakingQueue;
import java.util.List;
import java.util.Queue;
import org.apache.storm.executor.Executor;
import org.apache.storm.tuple.AddressedTuple;

/** An executor of upstream's. */
final class StormExecutorAccess implements ExecutorAccess {

    private final Executor executor;

    StormExecutorAccess(Executor executor) {
        this.executor = executor;
    }

    @Override
    public List<Long> id() {
        return executor.getExecutorId();
    }

    @Override
    public List<Integer> tasks() {
        return executor.getTaskIds();
    }

    @Override
    public String describe() {
        return executor.getComponentId() + executor.getExecutorId();
    }

    @Override
    public WakingQueue queue() {
        return (WakingQueue) executor.getReceiveQueue();
    }

    @Override
    public boolean isSpout() {
        return "spout".equals(executor.getType());
    }

    @Override
    public boolean isPrepared() {
        return executor.getOpenOrPrepareWasCalled().get();
    }

    @Override
    public int executeInput() {
        return queue().consume(executor);
    }

    @Override
    public Queue<AddressedTuple> pendingEmits() {
        return executor.getPendingEmits();
    }

    @Override
    public void sendPendingEmits() {
        PendingEmits.send(executor);
    }

    @Override
    public void flushAcks() {
        executor.flush();
    }

    @Override
    public void flushEmits() throws InterruptedException {
        executor.getExecutorTransfer().flush();
    }

    @Override
    public void lookUpQueues() {
        executor.getExecutorTransfer().initLocalRecvQueues();
    }
}
