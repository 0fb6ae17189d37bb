package io.eyewall.tail.recording;

/**
 * The recorders of the tuples that one task takes from one source stream. Used by the executor's thread, except {@link #acked}, which is
 * for the thread that acks.
 */
final class InputHops {

    private final HopRecorders recorders;
    private final String component;
    private final int taskId;
    private final String source;
    private final HopRecorder emitToEnqueue;
    private final HopRecorder receiveQueueWait;
    private final HopRecorder execute;
    private final HopRecorder endToEnd;
    /** Made when first needed: most tuples have no overflow, no acker and no due time. */
    private HopRecorder overflow;
    private HopRecorder dueToExecuted;
    private HopRecorder emitToAck;

    InputHops(HopRecorders recorders, String component, int taskId, String source) {
        this.recorders = recorders;
        this.component = component;
        this.taskId = taskId;
        this.source = source;
        emitToEnqueue = recorder(MeasuringPoint.EMIT_TO_ENQUEUE);
        receiveQueueWait = recorder(MeasuringPoint.RECEIVE_QUEUE_WAIT);
        execute = recorder(MeasuringPoint.EXECUTE);
        endToEnd = recorder(MeasuringPoint.END_TO_END);
    }

    /** Records that the executor has taken a tuple from its queue. */
    void taken(LatencyStamp stamp, long nowNs) {
        long overflowNs = stamp.offeredAgainNs == 0 ? 0 : stamp.offeredAgainNs - stamp.emittedNs;
        long waitNs = nowNs - stamp.enqueuedNs;
        if (stamp.overflowed) {
            overflowNs += waitNs;
        } else {
            receiveQueueWait.record(waitNs);
        }
        if (stamp.overflowed || stamp.offeredAgainNs != 0) {
            if (overflow == null) {
                overflow = recorder(MeasuringPoint.OVERFLOW);
            }
            overflow.record(overflowNs);
        }
        emitToEnqueue.record(stamp.enqueuedNs - stamp.readyNs());
    }

    /** Records that the task has executed the tuple. */
    void executed(LatencyStamp stamp, long sinceNs, long nowNs) {
        execute.record(nowNs - sinceNs);
        endToEnd.record(nowNs - stamp.rootNs, stamp.errorNs);
        if (stamp.dueNs != 0) {
            if (dueToExecuted == null) {
                dueToExecuted = recorder(MeasuringPoint.DUE_TO_EXECUTED);
            }
            dueToExecuted.record(nowNs - stamp.dueNs, stamp.errorNs);
        }
    }

    /** Records that the task has acked the tuple. */
    void acked(LatencyStamp stamp, long nowNs) {
        if (emitToAck == null) {
            emitToAck = recorder(MeasuringPoint.EMIT_TO_ACK);
        }
        emitToAck.record(nowNs - stamp.emittedNs, stamp.errorNs);
    }

    private HopRecorder recorder(MeasuringPoint point) {
        return recorders.recorder(new HopKey(point, component, taskId, source));
    }
}
