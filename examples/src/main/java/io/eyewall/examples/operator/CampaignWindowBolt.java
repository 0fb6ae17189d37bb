package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import io.eyewall.examples.measuring.SystemClock;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.tuple.Tuple;

/**
 * Counts the views of each campaign in the window of each event's time. Receives {@code campaign, eventMs, dueNs} and writes each count to
 * Redis at once, so that no count is lost when a worker dies.
 */
public final class CampaignWindowBolt extends SinkBolt {

    private transient CampaignStore store;
    private transient Clock clock;
    private transient long windowMs;
    private transient Map<String, Long> seen;

    public CampaignWindowBolt() {
        super(true);
    }

    @Override
    protected void start(ExampleConfiguration configuration, boolean hasResults) {
        store = new CampaignStore(configuration);
        clock = SystemClock.INSTANCE;
        windowMs = TimeUnit.SECONDS.toMillis(configuration.number(ExampleKeys.YAHOO_WINDOW_SEC));
        seen = new HashMap<>();
    }

    @Override
    protected void process(Tuple tuple) throws IOException {
        String campaign = tuple.getString(0);
        long windowStartMs = Math.floorDiv(tuple.getLong(1), windowMs) * windowMs;
        store.count(campaign, windowStartMs, clock.epochMs());
        seen.merge(campaign, 1L, Long::sum);
    }

    @Override
    protected Map<String, Long> results() {
        return seen;
    }

    @Override
    protected void stop() {
        store.close();
    }
}
