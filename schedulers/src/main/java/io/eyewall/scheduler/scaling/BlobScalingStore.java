package io.eyewall.scheduler.scaling;

import io.eyewall.scheduler.cluster.Blobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps records and the log in blobs. Not thread-safe. */
final class BlobScalingStore implements ScalingStore {

    /** The number of events that the log keeps. */
    static final int LOG_EVENTS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(BlobScalingStore.class);

    private final Blobs blobs;

    BlobScalingStore(Blobs blobs) {
        this.blobs = blobs;
    }

    @Override
    public List<ScalingRecord> records() {
        List<ScalingRecord> records = new ArrayList<>();
        blobs.keys(ScalingRecord.KEY_PREFIX).forEach(key -> read(key, records));
        return records;
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

    private void read(String key, List<ScalingRecord> records) {
        try {
            Optional<ScalingRecord> record = blobs.read(key).map(ScalingRecord::of);
            if (record.isPresent() && !record.get().key().equals(key)) {
                throw new IllegalArgumentException("it is for request " + record.get().request().id());
            }
            record.ifPresent(records::add);
        } catch (IllegalArgumentException e) {
            LOG.warn("Blob {} is deleted: {}", key, e.getMessage());
            blobs.delete(key);
        } catch (IllegalStateException e) {
            LOG.info("{}. The next round tries again.", e.getMessage());
        }
    }
}
