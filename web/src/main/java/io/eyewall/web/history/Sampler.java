package io.eyewall.web.history;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.ObjectReader;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Nimbus about every topology at each multiple of ten seconds, one call for each, over one connection. What it cannot ask at a time it
 * leaves out. All of it is done by one thread of its own.
 */
final class Sampler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);

    private static final String ALL_TIME = ":all-time";
    private static final int TIMEOUT_MS = 10_000;
    private static final int END_SECS = 15;
    private static final int DEFAULT_REPORT_SECS = 60;

    private final Map<String, Object> conf;
    private final HistoryStore store;
    private final InstantSource clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread sampler = new Thread(task, "history");
        sampler.setDaemon(true);
        return sampler;
    });

    private ScheduledFuture<?> rounds;
    // Only the thread uses these, and who has waited for its end.
    private final Map<String, Sample> previous = new HashMap<>();
    private NimbusClient client;
    private boolean failing;
    private long prunedPeriod;

    Sampler(Map<String, Object> conf, HistoryStore store, InstantSource clock) {
        this.conf = new HashMap<>(conf);
        this.conf.put(Config.STORM_NIMBUS_RETRY_TIMES, 1);
        this.store = store;
        this.clock = clock;
    }

    void start() {
        long stepMs = TimeUnit.SECONDS.toMillis(Tier.FINE.stepSecs());
        rounds = thread.scheduleAtFixedRate(this::roundOrGap, stepMs - clock.millis() % stepMs, stepMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        if (rounds != null) {
            rounds.cancel(true);
        }
        thread.shutdownNow();
        try {
            if (thread.awaitTermination(END_SECS, TimeUnit.SECONDS)) {
                disconnect();
            } else {
                LOG.warn("Nimbus has not answered yet; the history ends without its last sample.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void roundOrGap() {
        try {
            round();
            failing = false;
        } catch (TException | RocksDBException | RuntimeException e) {
            disconnect();
            if (!failing && !thread.isShutdown()) {
                LOG.warn("The history has a gap from now on, until Nimbus answers: {}", e.toString());
            }
            failing = true;
        }
    }

    private void round() throws TException, RocksDBException {
        long nowSecs = clock.instant().getEpochSecond();
        // The nearest multiple: a timer may be a little early.
        long timeSecs = Math.round((double) nowSecs / Tier.FINE.stepSecs()) * Tier.FINE.stepSecs();
        if (client == null) {
            client = NimbusClient.Builder.withConf(conf).withTimeout(TIMEOUT_MS).build();
        }
        int reportSecs = ObjectReader.getInt(conf.get(Config.EXECUTOR_METRICS_FREQUENCY_SECS), DEFAULT_REPORT_SECS);
        Set<String> running = new HashSet<>();
        for (TopologySummary topology : client.getClient().getTopologySummaries()) {
            String id = topology.get_id();
            running.add(id);
            try {
                Sample before = previous.containsKey(id) ? previous.get(id) : store.newest(id, nowSecs).orElse(null);
                Sample sample = PageSamples.next(before, client.getClient().getTopologyPageInfo(id, ALL_TIME, false), timeSecs,
                    reportSecs);
                store.append(id, sample);
                previous.put(id, sample);
            } catch (NotAliveException | AuthorizationException e) {
                LOG.debug("No sample of {}", id, e);
            }
        }
        previous.keySet().retainAll(running);
        if (prunedPeriod != Tier.FINE.period(nowSecs)) {
            store.prune(nowSecs);
            prunedPeriod = Tier.FINE.period(nowSecs);
        }
    }

    private void disconnect() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
