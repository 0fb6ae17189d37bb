package io.eyewall.scheduler.scaling;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps everything in memory, as the bytes that blobs would have. */
final class MemoryScalingStore implements ScalingStore {

    private final Map<String, byte[]> records = new LinkedHashMap<>();
    private byte[] log;
    private boolean broken;
    private boolean isByStranger;

    void submit(ScalingRequest request) {
        records.put(request.id(), ScalingRecord.of(request).toBytes());
    }

    /** The response to a request, or null. */
    ScalingResponse response(ScalingRequest request) {
        return ScalingRecord.of(records.get(request.id())).response();
    }

    boolean has(ScalingRequest request) {
        return records.containsKey(request.id());
    }

    /** Lets all requests be those of somebody who may not rebalance anything. */
    void setByStranger() {
        isByStranger = true;
    }

    /** Lets every write to the log fail, or no longer fail. */
    void setBroken(boolean whether) {
        broken = whether;
    }

    @Override
    public List<ScalingRecord> records() {
        return records.values().stream().map(ScalingRecord::of).toList();
    }

    @Override
    public boolean isByOwner(ScalingRecord record, Map<String, Object> topologyConf) {
        return !isByStranger;
    }

    @Override
    public List<ScalingEvent> events() {
        return log == null ? List.of() : ScalingRecord.logEvents(log);
    }

    @Override
    public void respond(ScalingRecord record) {
        records.replace(record.request().id(), record.toBytes());
    }

    @Override
    public void remove(ScalingRecord record) {
        records.remove(record.request().id());
    }

    @Override
    public void log(List<ScalingEvent> events) {
        if (broken) {
            throw new IllegalStateException("The store is broken.");
        }
        List<ScalingEvent> all = new ArrayList<>(events());
        all.addAll(events);
        log = ScalingRecord.logBytes(all);
    }
}
