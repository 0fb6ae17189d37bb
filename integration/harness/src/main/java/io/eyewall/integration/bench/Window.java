package io.eyewall.integration.bench;

import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The time that is measured.
 *
 * @param cpuAtStart the CPU seconds that each worker had used by then
 * @param cpuAtEnd likewise
 * @param stolenSecondsPerCore which the hypervisor withheld meanwhile
 */
record Window(long startMs, long endMs, Map<WorkerProcess, Double> cpuAtStart, Map<WorkerProcess, Double> cpuAtEnd,
              double stolenSecondsPerCore) {

    /** More of the cores' time than this, and it is measured again. */
    private static final double TOO_MUCH_STOLEN = 0.05;
    private static final int MOST_ATTEMPTS = 3;

    /** Measures once. */
    @FunctionalInterface
    interface Measurement {

        Window measure() throws IOException, InterruptedException;
    }

    /** Measures again while the hypervisor withholds more than a twentieth of the cores' time, twice at most: the window with the least. */
    static Window leastStolen(Measurement measurement) throws IOException, InterruptedException {
        Window least = measurement.measure();
        for (int attempt = 1; attempt < MOST_ATTEMPTS && least.stolen() > TOO_MUCH_STOLEN; attempt++) {
            Window next = measurement.measure();
            if (next.stolen() < least.stolen()) {
                least = next;
            }
        }
        return least;
    }

    double seconds() {
        return (endMs - startMs) / 1000.0;
    }

    /** The part of the cores' time that the hypervisor withheld, of 1. */
    double stolen() {
        return stolenSecondsPerCore / seconds();
    }

    boolean hasSameWorkers(int number) {
        return cpuAtStart.size() == number && cpuAtEnd.keySet().equals(cpuAtStart.keySet());
    }

    double cpuSeconds() {
        return cpuAtEnd.entrySet().stream().mapToDouble(worker -> worker.getValue() - cpuAtStart.get(worker.getKey())).sum();
    }

    /** Whether the interval has its middle in this time. */
    boolean contains(Histogram interval) {
        long middleMs = interval.getStartTimeStamp() + (interval.getEndTimeStamp() - interval.getStartTimeStamp()) / 2;
        return interval.getTotalCount() > 0 && middleMs >= startMs && middleMs < endMs;
    }
}
