package io.eyewall.web.api;

import io.eyewall.web.history.Metric;
import io.eyewall.web.history.Part;
import io.eyewall.web.history.TopologyHistory;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.storm.generated.Nimbus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code topology/{id}/history}: time series from what this daemon has kept. Times are seconds since 1970; a negative {@code from} is
 * seconds before {@code to}. Safe for any thread.
 */
final class HistoryAddress implements Handler {

    private static final Logger LOG = LoggerFactory.getLogger(HistoryAddress.class);
    private static final int UNAVAILABLE = 503;
    private static final long LATEST_SECS = Duration.ofDays(365_000).toSeconds();
    private static final long USUAL_SECS = Duration.ofHours(1).toSeconds();

    private final TopologyHistory history;
    private final InstantSource clock;

    HistoryAddress(TopologyHistory history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
    }

    @Override
    public Object handle(Nimbus.Iface none, Parameters asked) throws HttpException {
        requireHistory();
        Map<String, String> query = asked.query();
        Metric metric = null;
        if (query.containsKey("metric")) {
            String name = query.get("metric");
            metric = Metric.of(name).orElseThrow(() -> HttpException.badRequest("metric is " + Parameters.shown(name) + ". Use one of "
                + String.join(", ", Metric.titles()) + ", or leave it out for all."));
        }
        long toSecs = time(query, "to", 0, clock.instant().getEpochSecond());
        long from = time(query, "from", -TopologyHistory.KEPT_SECS, -USUAL_SECS);
        long fromSecs = from < 0 ? toSecs + from : from;
        if (fromSecs >= toSecs || toSecs - fromSecs > TopologyHistory.KEPT_SECS) {
            throw HttpException.badRequest("from is " + fromSecs + " and to is " + toSecs + ". from must be earlier, by at most "
                + TopologyHistory.KEPT_SECS + " seconds.");
        }
        String component = query.get("component");
        if (component != null && query.containsKey("worker")) {
            throw HttpException.badRequest("component and worker cannot both be given. Leave one of them out.");
        }
        try {
            return history.series(asked.path("id"), new Part(component, query.get("worker")), metric, fromSecs, toSecs)
                .orElseThrow(() -> HttpException.notFound("The history of the topology " + Parameters.shown(asked.path("id"))
                    + " has no component " + Parameters.shown(component) + "."));
        } catch (IOException e) {
            LOG.error("The history cannot be read", e);
            throw new HttpException(UNAVAILABLE, "The history cannot be read. The log of the UI says why.");
        }
    }

    /** {@code topology/{id}/events}. */
    Object events(Nimbus.Iface none, Parameters asked) throws HttpException {
        requireHistory();
        return new EventStreams.Wanted(asked.path("id"));
    }

    private void requireHistory() throws HttpException {
        if (history.reasonForNone().isPresent()) {
            throw new HttpException(UNAVAILABLE, history.reasonForNone().get());
        }
    }

    private static long time(Map<String, String> query, String name, long min, long otherwise) throws HttpException {
        return query.containsKey(name) ? Parameters.whole(name, query.get(name), min, LATEST_SECS) : otherwise;
    }
}
