package io.eyewall.integration.bench;

import java.io.IOException;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The time in which a topology is measured.
 *
 * @param cpuAtStart the CPU seconds that each process of the workers had used at its start, by process id
 * @param cpuAtEnd the same at its end
 * @param stolenSecondsPerCore the time that the hypervisor gave to others meanwhile
 */
record MeasurementWindow(long startMs, long endMs, Map<Long, Double> cpuAtStart, Map<Long, Double> cpuAtEnd,
              double stolenSecondsPerCore) {

    /** If more than this part of the cores' time was stolen, the measurement is repeated. */
    private static final double TOO_MUCH_STOLEN = 0.05;
    private static final int MAX_ATTEMPTS = 3;

    /** One measurement. */
    @FunctionalInterface
    interface Measurement {

        MeasurementWindow measure() throws IOException, InterruptedException;
    }

    /**
     * Measures, and measures again while more than a twentieth of the cores' time was stolen, twice at most. Returns the window with the
     * least stolen time.
     */
    static MeasurementWindow leastStolen(Measurement measurement) throws IOException, InterruptedException {
        MeasurementWindow least = measurement.measure();
        for (int attempt = 1; attempt < MAX_ATTEMPTS && least.stolen() > TOO_MUCH_STOLEN; attempt++) {
            MeasurementWindow next = measurement.measure();
            if (next.stolen() < least.stolen()) {
                least = next;
            }
        }
        return least;
    }

    double seconds() {
        return (endMs - startMs) / 1000.0;
    }

    /** The part of the cores' time, of 1, that the hypervisor gave to others. */
    double stolen() {
        return stolenSecondsPerCore / seconds();
    }

    /** Whether none has ended or begun meanwhile. */
    boolean hasSameProcesses() {
        return !cpuAtStart.isEmpty() && cpuAtEnd.keySet().equals(cpuAtStart.keySet());
    }

    double cpuSeconds() {
        return cpuAtEnd.entrySet().stream().mapToDouble(process -> process.getValue() - cpuAtStart.get(process.getKey())).sum();
    }

    /** Whether the interval has its middle in this time. */
    boolean contains(Histogram interval) {
        long middleMs = interval.getStartTimeStamp() + (interval.getEndTimeStamp() - interval.getStartTimeStamp()) / 2;
        return interval.getTotalCount() > 0 && middleMs >= startMs && middleMs < endMs;
    }
}
