package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.scheduler.cluster.Blobs;
import io.eyewall.scheduler.cluster.RequestBlobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the scheduler keeps in blobs: its memory, the action log, the utilities over time, the report and the requests. Not thread-safe.
 */
final class HengeStore {

    /** The key of the blob with the scheduler's memory. */
    static final String STATE_KEY = "eyewall-slo-state";
    /** The number of events that the log keeps. */
    static final int LOG_EVENTS = 1_000;

    private static final String KEY_PREFIX = "eyewall-slo-";
    private static final Logger LOG = LoggerFactory.getLogger(HengeStore.class);

    private final Blobs blobs;
    private final RequestBlobs<SloRequest> requests;

    HengeStore(Blobs blobs) {
        this.blobs = blobs;
        requests = new RequestBlobs<>(blobs, SloRequest.KEY_PREFIX, SloRequest::of, SloRequest::key);
    }

    /** The memory that the last round of any Nimbus left. If it cannot be understood, the search starts over. */
    HengeMemory memory() {
        blobs.refresh(KEY_PREFIX);
        try {
            return blobs.readOwn(STATE_KEY).map(HengeMemoryJson::of).orElse(HengeMemory.EMPTY);
        } catch (IllegalArgumentException e) {
            LOG.warn("Blob {} is ignored, and SLOs that were changed after submission are lost: {}", STATE_KEY, e.getMessage());
            return HengeMemory.EMPTY;
        }
    }

    void remember(HengeMemory memory) {
        blobs.write(STATE_KEY, HengeMemoryJson.toBytes(memory));
    }

    List<HengeEvent> events() {
        return read(SloHistory.LOG_KEY, SloHistory::events);
    }

    /** Adds events to the log, except those that it has already. */
    void log(List<HengeEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        List<HengeEvent> all = new ArrayList<>(events());
        List<HengeEvent> missing = new ArrayList<>(events);
        missing.removeAll(all);
        if (missing.isEmpty()) {
            return;
        }
        all.addAll(missing);
        blobs.write(SloHistory.LOG_KEY, SloHistory.logBytes(all.subList(Math.max(0, all.size() - LOG_EVENTS), all.size())));
    }

    void add(SloHistory.Point point) {
        List<SloHistory.Point> all = new ArrayList<>(read(SloHistory.UTILITIES_KEY, SloHistory::points));
        all.add(point);
        blobs.write(SloHistory.UTILITIES_KEY, SloHistory.pointBytes(all));
    }

    private <T> List<T> read(String key, Function<byte[], List<T>> parser) {
        try {
            return blobs.readOwn(key).map(parser).orElse(List.of());
        } catch (IllegalArgumentException e) {
            LOG.warn("Blob {} is ignored, and what was in it is lost: {}", key, e.getMessage());
            return List.of();
        }
    }

    /** The last report of any Nimbus; an empty one if there is none that can be understood. */
    SloReport report() {
        try {
            return blobs.readOwn(SloReport.KEY).map(SloReport::of).orElse(SloReport.NONE);
        } catch (IllegalArgumentException e) {
            LOG.warn("Blob {} is ignored, and what topologies cost when they ran before is forgotten: {}", SloReport.KEY, e.getMessage());
            return SloReport.NONE;
        }
    }

    void report(SloReport report) {
        blobs.write(SloReport.KEY, report.toBytes());
    }

    List<SloRequest> requests() {
        return requests.read();
    }

    /** Whether the user who made the request may rebalance the topology that has this configuration, merged with the cluster's. */
    boolean isByOwner(SloRequest request, Map<String, Object> topologyConf) {
        return blobs.isByOwner(request.key(), topologyConf);
    }

    void replace(SloRequest request) {
        if (!blobs.replace(request.key(), request.toBytes())) {
            LOG.info("No client waits for request {} any more.", request.id());
        }
    }

    void remove(SloRequest request) {
        blobs.delete(request.key());
    }
}
