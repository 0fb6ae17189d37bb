package io.eyewall.web.history;

import io.eyewall.core.watch.WorkerPages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.apache.storm.utils.ConfigUtils;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every topology did in the last day, every ten seconds, and in the last month, every five minutes. It needs no Nimbus to be read.
 * Methods may be called from any thread.
 */
public final class TopologyHistory implements AutoCloseable {

    /** For how long anything is kept, in seconds. */
    public static final long KEPT_SECS = Tier.COARSE.keptSecs();

    private static final Logger LOG = LoggerFactory.getLogger(TopologyHistory.class);
    private static final long MAX_BYTES = 1L << 30;
    /** Workers that report less often than this have no rates at the beginning of what is asked for. */
    private static final int LONGEST_REPORT_SECS = (int) Duration.ofMinutes(10).toSeconds();

    private static final int MAX_READERS = 4;

    private final Semaphore readers = new Semaphore(MAX_READERS);
    private final InstantSource clock;
    private final String reasonForNone;
    private final HistoryStore store;
    private final Sampler sampler;
    private final EventLog events;

    private TopologyHistory(InstantSource clock, String reasonForNone, HistoryStore store, Sampler sampler, EventLog events) {
        this.clock = clock;
        this.reasonForNone = reasonForNone;
        this.store = store;
        this.sampler = sampler;
        this.events = events;
    }

    /**
     * Opens what is below {@code storm.local.dir}. If that is impossible, the UI goes without, and a log says why.
     *
     * @param conf Storm's configuration
     */
    public static TopologyHistory open(Map<String, Object> conf, InstantSource clock) {
        Path directory = null;
        try {
            directory = Path.of(ConfigUtils.absoluteStormLocalDir(conf), "ui", "history");
            HistoryStore store = HistoryStore.open(directory, MAX_BYTES);
            EventLog events = new EventLog(clock.millis());
            return new TopologyHistory(clock, null, store, new Sampler(new NimbusPages(conf), store, NimbusPages.reportSecs(conf), clock,
                new WorkerWatch(new WorkerPages()::ask), events), events);
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.error("The UI keeps no history: {} cannot be used. Another UI may use it, or this user may not write there.", directory, e);
            return none("No history is kept: its directory cannot be used. The log of the UI says why.");
        }
    }

    /** A history that is not kept. */
    public static TopologyHistory none(String reason) {
        return new TopologyHistory(InstantSource.system(), reason, null, null, new EventLog(0));
    }

    /** Begins to take samples. */
    public void start() {
        if (store != null) {
            sampler.start();
        }
    }

    /** What happens to topologies; nothing if there is no history. */
    public EventLog events() {
        return events;
    }

    /** Why there is no history; empty if there is one. */
    public Optional<String> reasonForNone() {
        return Optional.ofNullable(reasonForNone);
    }

    /**
     * Time series of a topology, component or worker, with the age of the newest sample; empty if there is no history of it.
     *
     * @param part of the topology
     * @param metric null for all
     * @param fromSecs since 1970
     * @param toSecs since 1970, after {@code fromSecs}
     * @throws IllegalStateException if there is no history
     * @throws IOException if it cannot be read
     */
    public Optional<Map<String, Object>> series(String topology, Part part, Metric metric, long fromSecs, long toSecs)
            throws IOException {
        if (store == null) {
            throw new IllegalStateException(reasonForNone);
        }
        long nowSecs = clock.instant().getEpochSecond();
        Series series = Series.between(fromSecs, toSecs, nowSecs);
        Set<Metric> metrics = metric == null ? EnumSet.allOf(Metric.class) : EnumSet.of(metric);
        Series.Builder builder = series.of(part, metrics);
        Optional<Sample> newest;
        // Each reader has some samples of what may be a large topology in memory.
        readers.acquireUninterruptibly();
        try {
            newest = store.newest(topology, nowSecs);
            if (newest.isPresent() && !part.isIn(newest.get())) {
                return Optional.empty();
            }
            store.read(series.tier(), topology, series.neededFromSecs(LONGEST_REPORT_SECS), toSecs, builder);
        } catch (RocksDBException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            readers.release();
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologyId", topology);
        json.put("component", part.component());
        json.put("worker", part.worker());
        json.put("sampledAt", newest.map(Sample::timeSecs).orElse(null));
        json.put("ageSecs", newest.map(sample -> Math.max(0, nowSecs - sample.timeSecs())).orElse(null));
        json.putAll(builder.json());
        return Optional.of(json);
    }

    @Override
    public void close() {
        if (store != null) {
            sampler.close();
            store.close();
        }
    }
}
