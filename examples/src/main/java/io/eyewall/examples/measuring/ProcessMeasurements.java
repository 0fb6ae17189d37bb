package io.eyewall.examples.measuring;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The measurements of this process. One daemon thread flushes all of them four times a second, and a shutdown hook flushes them when the
 * process ends. Knows nothing of Storm, so that jobs of other systems measure with it, too.
 */
public final class ProcessMeasurements {

    private static final long FLUSH_INTERVAL_MS = 250;

    private final Set<RecordedMeasurement> open = ConcurrentHashMap.newKeySet();

    private ProcessMeasurements() {
        TimerTask flush = new TimerTask() {
            @Override
            public void run() {
                flushAll();
            }
        };
        new Timer("eyewall-measuring", true).scheduleAtFixedRate(flush, FLUSH_INTERVAL_MS, FLUSH_INTERVAL_MS);
        Runtime.getRuntime().addShutdownHook(new Thread(this::flushAll, "eyewall-measuring-last"));
    }

    /**
     * Opens the measurement of a task. Thread-safe.
     *
     * @param directory of the task's two files; made if missing
     * @param task      the name of the files without suffix
     * @param tag       the tag of all histograms
     * @throws IOException if the files cannot be written
     */
    public static TaskMeasurement open(Path directory, String task, String tag) throws IOException {
        return Holder.INSTANCE.add(directory, task, tag);
    }

    private TaskMeasurement add(Path directory, String task, String tag) throws IOException {
        RecordedMeasurement measurement = new RecordedMeasurement(directory, task, tag, SystemClock.INSTANCE, open::remove);
        open.add(measurement);
        return measurement;
    }

    private void flushAll() {
        open.forEach(RecordedMeasurement::flush);
    }

    /** Starts the thread with the first measurement, so that there is none if nothing is measured. */
    private static final class Holder {
        static final ProcessMeasurements INSTANCE = new ProcessMeasurements();
    }
}
