package io.eyewall.integration.bench.elastic;

import io.eyewall.core.report.Counts;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Runs for tests: three seconds before with 100 messages each, and what is asked for since. */
final class ElasticRuns {

    private static final int BEFORE = 3;

    private ElasticRuns() {
    }

    /** {@code received} and {@code latenciesMs} are by second. */
    static ElasticRun since(int restarted, int[] received, int[] latenciesMs) {
        List<ElasticRun.Second> seconds = new ArrayList<>();
        for (int number = -BEFORE; number < 0; number++) {
            seconds.add(second(number, 100, 10));
        }
        for (int number = 0; number < received.length; number++) {
            seconds.add(second(number, received[number], latenciesMs[number]));
        }
        return new ElasticRun(seconds, restarted);
    }

    private static ElasticRun.Second second(int number, int received, int latencyMs) {
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(latencyMs * 1_000_000L, received);
        return new ElasticRun.Second(number, new Counts(100, received, number == 1 ? 7 : 0, received), latencies);
    }
}
