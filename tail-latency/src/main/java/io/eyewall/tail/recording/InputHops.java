package io.eyewall.tail.recording;

import java.util.HashMap;
import java.util.Map;

/**
 * The recorders of what the tasks of one executor take in, one set for each task and source stream. Used by the executor's thread.
 */
final class InputHops {

    private final HopRecorders recorders;
    private final String component;
    private final Map<Integer, Map<String, Map<String, Hops>>> byTask = new HashMap<>();

    /** The set that was asked for last: tuples of one stream come in runs. */
    private Hops last;

    InputHops(HopRecorders recorders, String component) {
        this.recorders = recorders;
        this.component = component;
    }

    /** The set of a task for a source stream; allocates when it is asked for the first time. */
    Hops of(int taskId, String sourceComponent, String sourceStream) {
        Hops hops = last;
        if (hops == null || hops.taskId != taskId || !hops.sourceStream.equals(sourceStream)
                || !hops.sourceComponent.equals(sourceComponent)) {
            hops = byTask.computeIfAbsent(taskId, id -> new HashMap<>())
                .computeIfAbsent(sourceComponent, name -> new HashMap<>())
                .computeIfAbsent(sourceStream, stream -> new Hops(taskId, sourceComponent, stream));
            last = hops;
        }
        return hops;
    }

    /** The recorders of one task for one source stream. */
    final class Hops {

        private final int taskId;
        private final String sourceComponent;
        private final String sourceStream;
        private final HopRecorder emitToEnqueue;
        private final HopRecorder receiveQueueWait;
        private final HopRecorder execute;
        private final HopRecorder endToEnd;
        /** Made when first needed: most tuples never see the inside of an overflow, an acker or a due time. */
        private HopRecorder overflow;
        private HopRecorder dueToExecuted;
        private HopRecorder emitToAck;

        private Hops(int taskId, String sourceComponent, String sourceStream) {
            this.taskId = taskId;
            this.sourceComponent = sourceComponent;
            this.sourceStream = sourceStream;
            emitToEnqueue = recorder(Point.EMIT_TO_ENQUEUE);
            receiveQueueWait = recorder(Point.RECEIVE_QUEUE_WAIT);
            execute = recorder(Point.EXECUTE);
            endToEnd = recorder(Point.END_TO_END);
        }

        /** The executor took a tuple from its queue. */
        void taken(LatencyStamp stamp, long nowNs) {
            receiveQueueWait.record(nowNs - stamp.enqueuedNs);
            if (stamp.remote) {
                return; // What happened before is recorded at the sender and on the wire.
            }
            long acceptedNs = stamp.emittedNs;
            if (stamp.offeredAgainNs != 0) {
                acceptedNs = stamp.offeredAgainNs;
                if (overflow == null) {
                    overflow = recorder(Point.OVERFLOW);
                }
                overflow.record(acceptedNs - stamp.emittedNs);
            }
            emitToEnqueue.record(stamp.enqueuedNs - acceptedNs);
        }

        /** The task executed the tuple. */
        void executed(LatencyStamp stamp, long sinceNs, long nowNs) {
            execute.record(nowNs - sinceNs);
            endToEnd.record(nowNs - stamp.rootNs, stamp.errorNs);
            if (stamp.dueNs != 0) {
                if (dueToExecuted == null) {
                    dueToExecuted = recorder(Point.DUE_TO_EXECUTED);
                }
                dueToExecuted.record(nowNs - stamp.dueNs, stamp.errorNs);
            }
        }

        /** The task acked the tuple. */
        void acked(LatencyStamp stamp, long nowNs) {
            if (emitToAck == null) {
                emitToAck = recorder(Point.EMIT_TO_ACK);
            }
            emitToAck.record(nowNs - stamp.emittedNs, stamp.errorNs);
        }

        private HopRecorder recorder(Point point) {
            return recorders.recorder(new HopKey(point, component, taskId, sourceComponent + ':' + sourceStream));
        }
    }
}
