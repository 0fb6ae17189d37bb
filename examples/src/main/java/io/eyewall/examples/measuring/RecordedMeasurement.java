package io.eyewall.examples.measuring;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the counters and latencies of one task. Only the task's thread writes to the counters and the recorder. The flush thread, and at
 * the end the closing thread, read them under this object's lock, which the task's thread does not take while it processes tuples.
 */
final class RecordedMeasurement implements TaskMeasurement {

    /** Latencies above an hour count as an hour. */
    static final long MAX_LATENCY_NS = 3_600_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(RecordedMeasurement.class);
    private static final int SIGNIFICANT_DIGITS = 3;

    private final String task;
    private final String tag;
    private final Clock clock;
    private final MeasurementFiles files;
    private final Consumer<RecordedMeasurement> onClose;
    private final SingleWriterRecorder recorder;

    // Written by the task's thread only.
    private final AtomicLong emitted = new AtomicLong();
    private final AtomicLong acked = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong received = new AtomicLong();

    // The next two fields are guarded by this object's lock.
    private Histogram interval;
    private boolean closed;

    /**
     * Opens the task's files.
     *
     * @param onClose called once, when the measurement ends
     */
    RecordedMeasurement(Path directory, String task, String tag, Clock clock,
            Consumer<RecordedMeasurement> onClose) throws IOException {
        this.task = task;
        this.tag = tag;
        this.clock = clock;
        this.onClose = onClose;
        files = new MeasurementFiles(directory, task, tag, clock.epochMs());
        // Created after the files, so that its first interval does not begin before them.
        recorder = new SingleWriterRecorder(1, MAX_LATENCY_NS, SIGNIFICANT_DIGITS);
    }

    @Override
    public void emitted() {
        increment(emitted);
    }

    @Override
    public void acked(long latencyNs) {
        acked();
        record(latencyNs);
    }

    @Override
    public void acked() {
        increment(acked);
    }

    @Override
    public void failed() {
        increment(failed);
    }

    @Override
    public void received(long latencyNs) {
        received();
        record(latencyNs);
    }

    @Override
    public void received() {
        increment(received);
    }

    @Override
    public void close() {
        flush();
        end();
        onClose.accept(this);
    }

    /**
     * Writes the counters, and the latencies since the last call. If a file cannot be written, logs that and ends the measurement.
     */
    synchronized void flush() {
        if (closed) {
            return;
        }
        try {
            interval = recorder.getIntervalHistogram(interval);
            interval.setTag(tag);
            files.append(interval);
            files.append(clock.epochMs(), emitted.get(), acked.get(), failed.get(), received.get());
        } catch (IOException failure) {
            LOG.error("The measurement of task {} ends, since its files cannot be written; the topology continues", task, failure);
            end();
        }
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            files.close();
        } catch (IOException failure) {
            LOG.warn("Cannot close the files of the measurement of task {}; their last lines may be missing", task, failure);
        }
    }

    private void record(long latencyNs) {
        recorder.recordValue(Math.max(0, Math.min(latencyNs, MAX_LATENCY_NS)));
    }

    /** An ordered store is enough for one writer, and avoids a locked instruction. */
    private static void increment(AtomicLong counter) {
        counter.lazySet(counter.getPlain() + 1);
    }
}
