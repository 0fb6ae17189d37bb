package io.eyewall.scheduler.cluster;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.storm.DaemonConfig;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.ObjectReader;

/**
 * The gauge of {@link ClusterView#wantedMachines}, 0 in a Nimbus that does not lead. Only the leader runs rounds, so a figure counts until
 * a few rounds have been missed. Thread-safe.
 */
public final class WantedMachinesGauge {

    /** The gauge's name among Nimbus's metrics. */
    static final String NAME = "cluster:machines-wanted";
    /** After how many rounds without a new figure the last one no longer counts. */
    static final int ROUNDS = 6;

    private record Figure(int machines, long untilMs) {
    }

    private final long lifetimeMs;
    private final LongSupplier clockMs;
    private volatile Figure figure = new Figure(0, 0);

    private WantedMachinesGauge(long lifetimeMs, LongSupplier clockMs) {
        this.lifetimeMs = lifetimeMs;
        this.clockMs = clockMs;
    }

    /**
     * Registers the gauge, which is 0 until the first round.
     *
     * @param conf Nimbus's configuration
     * @param clockMs the time in milliseconds since 1970
     */
    public static WantedMachinesGauge register(StormMetricsRegistry metrics, Map<String, Object> conf, LongSupplier clockMs) {
        int roundSecs = ObjectReader.getInt(conf.get(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS));
        WantedMachinesGauge gauge = new WantedMachinesGauge(TimeUnit.SECONDS.toMillis((long) ROUNDS * roundSecs), clockMs);
        metrics.registerGauge(NAME, gauge::machines);
        return gauge;
    }

    /** Sets what a round has found. */
    public void set(int machines) {
        figure = new Figure(machines, clockMs.getAsLong() + lifetimeMs);
    }

    int machines() {
        Figure last = figure;
        return clockMs.getAsLong() <= last.untilMs ? last.machines : 0;
    }
}
