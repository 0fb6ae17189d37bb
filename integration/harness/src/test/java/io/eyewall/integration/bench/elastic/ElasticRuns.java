package io.eyewall.integration.bench.elastic;

import io.eyewall.core.report.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Invented runs: three seconds before the change with 100 messages each, and whatever a test wants after it. */
final class ElasticRuns {

    private static final int BEFORE = 3;

    private ElasticRuns() {
    }

    /** {@code received} and {@code latenciesMs} are by second. */
    static ElasticRun since(int restarted, int[] received, int[] latenciesMs) {
        List<ElasticRun.Slice> seconds = new ArrayList<>();
        List<ElasticRun.Slice> quarters = new ArrayList<>();
        for (int number = -BEFORE; number < received.length; number++) {
            ElasticRun.Slice second = number < 0 ? second(number, 100, 10) : second(number, received[number], latenciesMs[number]);
            seconds.add(second);
            for (int quarter = 4 * number; quarter < 4 * number + 4; quarter++) {
                quarters.add(new ElasticRun.Slice(quarter, second.counts().times(0.25), second.latencies()));
            }
        }
        return new ElasticRun(seconds, quarters, restarted, new ElasticRun.Leaving(1.25, OptionalLong.of(300)), 0.01);
    }

    private static ElasticRun.Slice second(int number, int received, int latencyMs) {
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(latencyMs * 1_000_000L, received);
        return new ElasticRun.Slice(number, new Counts(100, received, number == 1 ? 7 : 0, received), latencies);
    }
}
