package io.eyewall.tail.recording;

import java.util.HashMap;
import java.util.Map;

/**
 * The recorders of one point, one for each emitting task and stream. Used by one thread; allocates only for a stream that is new to it.
 */
final class StreamRecorders {

    private final HopRecorders recorders;
    private final Point point;
    private final boolean ofWorker;
    private final Map<Integer, Map<String, HopRecorder>> byTask = new HashMap<>();

    private HopRecorder last;
    private int lastTaskId;
    private String lastStream;

    private StreamRecorders(HopRecorders recorders, Point point, boolean ofWorker) {
        this.recorders = recorders;
        this.point = point;
        this.ofWorker = ofWorker;
    }

    /** What the emitting tasks themselves measure, each on its own. */
    static StreamRecorders ofTasks(HopRecorders recorders, Point point) {
        return new StreamRecorders(recorders, point, false);
    }

    /** What this worker measures of streams that reach it, whichever task they come from. */
    static StreamRecorders ofWorker(HopRecorders recorders, Point point) {
        return new StreamRecorders(recorders, point, true);
    }

    HopRecorder of(int taskId, String component, String streamId) {
        if (last == null || taskId != lastTaskId || !streamId.equals(lastStream)) {
            last = byTask.computeIfAbsent(taskId, id -> new HashMap<>()).computeIfAbsent(streamId, stream -> recorders.recorder(
                new HopKey(point, ofWorker ? HopKey.WORKER : component, ofWorker ? HopKey.NO_TASK : taskId, component + ':' + stream)));
            lastTaskId = taskId;
            lastStream = streamId;
        }
        return last;
    }
}
