package io.eyewall.web.history;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.NimbusLeaderNotFoundException;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Nimbus about every topology at each multiple of ten seconds, one call for each, over one connection. What it cannot ask at a time it
 * leaves out. A topology that Nimbus cannot describe has a gap of its own; when the connection breaks several times, all topologies have.
 * All of it is done by one thread of its own.
 */
final class Sampler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);

    private static final long STEP_MS = TimeUnit.SECONDS.toMillis(Tier.FINE.stepSecs());
    private static final int END_SECS = 15;
    private static final int MAX_BROKEN = 3;

    private final Pages pages;
    private final HistoryStore store;
    private final int reportSecs;
    private final InstantSource clock;
    private final WorkerWatch workers;
    private final EventLog events;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread sampler = new Thread(task, "history");
        sampler.setDaemon(true);
        return sampler;
    });
    /** The round that is due next. Written by who starts, and then by the thread. */
    private volatile ScheduledFuture<?> next;
    // Only the thread uses these, and who has waited for its end.
    private final Map<String, Sample> previous = new HashMap<>();
    private final Set<String> withGaps = new HashSet<>();
    private final PageEvents pageEvents = new PageEvents();
    private final SchedulerEvents schedulerEvents = new SchedulerEvents();
    private boolean failing;

    /**
     * With what is asked and where samples go.
     *
     * @param reportSecs how often workers report where their topology does not say it
     */
    Sampler(Pages pages, HistoryStore store, int reportSecs, InstantSource clock, WorkerWatch workers, EventLog events) {
        this.pages = pages;
        this.store = store;
        this.reportSecs = reportSecs;
        this.clock = clock;
        this.workers = workers;
        this.events = events;
    }

    void start() {
        long nowMs = clock.millis();
        next(nextMs(nowMs - STEP_MS, nowMs) - nowMs);
    }

    @Override
    public void close() {
        if (next != null) {
            next.cancel(false);
        }
        thread.shutdownNow();
        try {
            if (thread.awaitTermination(END_SECS, TimeUnit.SECONDS)) {
                pages.disconnect();
            } else {
                LOG.warn("Nimbus has not answered yet; the history ends without its last sample.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** When the round is due that follows one: those whose time has passed meanwhile are left out. */
    static long nextMs(long roundMs, long nowMs) {
        long nearestMs = Math.round((double) roundMs / STEP_MS) * STEP_MS;
        return Math.max(nearestMs + STEP_MS, -Math.floorDiv(-nowMs, STEP_MS) * STEP_MS);
    }

    private void next(long delayMs) {
        try {
            next = thread.schedule(this::roundAndNext, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("The history ends", closed);
        }
    }

    private void roundAndNext() {
        long roundMs = clock.millis();
        round();
        long nowMs = clock.millis();
        next(nextMs(roundMs, nowMs) - nowMs);
    }

    /** Takes a sample of every topology, and removes what is too old, whatever Nimbus says. */
    void round() {
        long nowSecs = clock.instant().getEpochSecond();
        try {
            sampleAll(nowSecs);
            failing = false;
        } catch (TException | RuntimeException e) {
            pages.disconnect();
            if (!failing && !thread.isShutdown()) {
                LOG.warn("The history has a gap from now on, until Nimbus answers: {}", e.toString());
            }
            failing = true;
        } finally {
            prune(nowSecs);
        }
    }

    private void sampleAll(long nowSecs) throws TException {
        // The nearest multiple: a timer may be a little early.
        long timeSecs = Math.round((double) nowSecs / Tier.FINE.stepSecs()) * Tier.FINE.stepSecs();
        List<TopologySummary> topologies = new ArrayList<>(pages.topologies());
        // Those that broke the connection before do not keep the others from being asked about.
        topologies.sort(Comparator.comparing(topology -> withGaps.contains(topology.get_id())));
        Set<String> running = new HashSet<>();
        topologies.forEach(topology -> running.add(topology.get_id()));
        previous.keySet().retainAll(running);
        withGaps.retainAll(running);
        workers.begin(running);
        pageEvents.retain(running);
        events.retain(running);
        Map<String, List<Event>> ofScheduler = ofScheduler();
        int broken = 0;
        for (TopologySummary topology : topologies) {
            String id = topology.get_id();
            try {
                sample(id, timeSecs, nowSecs, ofScheduler.getOrDefault(topology.get_name(), List.of()));
                withGaps.remove(id);
            } catch (NotAliveException | AuthorizationException e) {
                LOG.debug("No sample of {}", id, e);
            } catch (TException | RocksDBException | RuntimeException e) {
                if (withGaps.add(id)) {
                    LOG.warn("The history of {} has a gap from now on: {}", id, e.toString());
                }
                if (e instanceof TTransportException || e instanceof NimbusLeaderNotFoundException) {
                    pages.disconnect();
                    broken++;
                }
                if (broken == MAX_BROKEN || thread.isShutdown()) {
                    throw new TTransportException("The connection broke several times.", e);
                }
            }
        }
    }

    private Map<String, List<Event>> ofScheduler() throws TException {
        try {
            return pages.hasOwnScheduler() ? schedulerEvents.next(pages::blob) : Map.of();
        } catch (AuthorizationException | TApplicationException e) {
            LOG.debug("Nimbus does not show what its scheduler reports", e);
            return Map.of();
        }
    }

    private void sample(String id, long timeSecs, long nowSecs, List<Event> ofScheduler) throws TException, RocksDBException {
        Sample before = previous.containsKey(id) ? previous.get(id) : store.newest(id, nowSecs).orElse(null);
        TopologyPageInfo page = pages.page(id);
        List<Event> happened = new ArrayList<>(pageEvents.next(page, nowSecs, before == null ? null : before.timeSecs()));
        happened.addAll(ofScheduler);
        Sample sample = PageSamples.next(before, page, timeSecs, reportSecs, workers.look(page), happened);
        store.append(id, sample);
        previous.put(id, sample);
        String change = before == null ? "" : Series.change(before, sample, null);
        if (!change.isEmpty()) {
            events.add(id, timeSecs, new Event(Event.CHANGE, change));
        }
        happened.forEach(event -> events.add(id, timeSecs, event));
    }

    private void prune(long nowSecs) {
        try {
            store.prune(nowSecs);
        } catch (RocksDBException | RuntimeException e) {
            LOG.error("Old history cannot be removed", e);
        }
    }
}
