package io.eyewall.scheduler.scaling;

import io.eyewall.scheduler.cluster.Blobs;
import io.eyewall.scheduler.cluster.RequestBlobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps records and the log in blobs. Not thread-safe. */
final class BlobScalingStore implements ScalingStore {

    /** The number of events that the log keeps. */
    static final int LOG_EVENTS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(BlobScalingStore.class);

    private final Blobs blobs;
    private final RequestBlobs<ScalingRecord> records;

    BlobScalingStore(Blobs blobs) {
        this.blobs = blobs;
        records = new RequestBlobs<>(blobs, ScalingRecord.KEY_PREFIX, ScalingRecord::of, ScalingRecord::key);
    }

    @Override
    public List<ScalingRecord> records() {
        blobs.refresh(ScalingRecord.LOG_KEY); // It may not change for long, and clients wait for what it has.
        return records.read();
    }

    @Override
    public boolean isByOwner(ScalingRecord record, Map<String, Object> topologyConf) {
        return blobs.isByOwner(record.key(), topologyConf);
    }

    @Override
    public void respond(ScalingRecord record) {
        if (!blobs.replace(record.key(), record.toBytes())) {
            LOG.info("No client waits for the response to request {}: it has removed the request.", record.request().id());
        }
    }

    @Override
    public void remove(ScalingRecord record) {
        blobs.delete(record.key());
    }

    @Override
    public List<ScalingEvent> events() {
        return blobs.readOwn(ScalingRecord.LOG_KEY).map(ScalingRecord::logEvents).orElse(List.of());
    }

    @Override
    public void log(List<ScalingEvent> events) {
        List<ScalingEvent> all = new ArrayList<>(events());
        all.addAll(events);
        blobs.write(ScalingRecord.LOG_KEY, ScalingRecord.logBytes(all.subList(Math.max(0, all.size() - LOG_EVENTS), all.size())));
    }
}
