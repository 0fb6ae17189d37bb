package io.eyewall.scheduler.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.Gauge;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.metric.StormMetricsRegistry;
import org.junit.jupiter.api.Test;

class WantedMachinesGaugeTest {

    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final StormMetricsRegistry metrics = new StormMetricsRegistry();
    private final WantedMachinesGauge gauge = WantedMachinesGauge.register(metrics, Map.of("nimbus.monitor.freq.secs", 10), nowMs::get);

    @Test
    void shouldBeZeroUntilTheFirstRound() {
        assertEquals(0, read());
    }

    @Test
    void shouldBeZeroWhenThisNimbusNoLongerRunsRounds() {
        gauge.set(3);
        nowMs.addAndGet(60_000);
        assertEquals(3, read());
        nowMs.addAndGet(1);
        assertEquals(0, read());

        gauge.set(4);
        assertEquals(4, read());
    }

    /** Reads what is registered: the registry returns the gauge that it has of a name. */
    private int read() {
        Gauge<Integer> registered = metrics.registerGauge(WantedMachinesGauge.NAME, () -> -1);
        return registered.getValue();
    }
}
