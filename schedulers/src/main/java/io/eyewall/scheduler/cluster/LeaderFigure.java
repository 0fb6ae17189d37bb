package io.eyewall.scheduler.cluster;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.storm.DaemonConfig;
import org.apache.storm.utils.ObjectReader;

/**
 * What the last round has found, for gauges. Only the Nimbus that leads runs rounds, so a figure counts until a few rounds have been
 * missed. Thread-safe.
 *
 * @param <T> an immutable figure
 */
public final class LeaderFigure<T> {

    /** After how many rounds without a new figure the last one no longer counts. */
    static final int ROUNDS = 6;

    private record Last<T>(T figure, long untilMs) {
    }

    private final T none;
    private final long lifetimeMs;
    private final LongSupplier clockMs;
    private volatile Last<T> last;

    /**
     * A figure that is {@code none} until the first round.
     *
     * @param none the figure of a Nimbus that does not lead
     * @param conf Nimbus's configuration
     * @param clockMs the time in milliseconds since 1970
     */
    public LeaderFigure(T none, Map<String, Object> conf, LongSupplier clockMs) {
        this.none = none;
        this.clockMs = clockMs;
        int roundSecs = ObjectReader.getInt(conf.get(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS));
        lifetimeMs = TimeUnit.SECONDS.toMillis((long) ROUNDS * roundSecs);
        last = new Last<>(none, Long.MIN_VALUE);
    }

    /** Sets what a round has found. */
    public void set(T figure) {
        last = new Last<>(figure, clockMs.getAsLong() + lifetimeMs);
    }

    /** What the last round has found, or the figure of a Nimbus that does not lead. */
    public T get() {
        Last<T> read = last;
        return clockMs.getAsLong() <= read.untilMs ? read.figure : none;
    }
}
