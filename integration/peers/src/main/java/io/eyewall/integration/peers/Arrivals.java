package io.eyewall.integration.peers;

import io.eyewall.examples.measuring.ProcessMeasurements;
import io.eyewall.examples.measuring.SystemClock;
import io.eyewall.examples.measuring.TaskMeasurement;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import org.apache.flink.api.common.TaskInfo;

/** Measures what arrives in a task at the end of a job, into the files of the examples' sinks. For the task's thread. */
final class Arrivals implements Serializable {

    private final String directory;

    private transient TaskMeasurement measurement;

    Arrivals(String directory) {
        this.directory = directory;
    }

    void open(TaskInfo task) throws IOException {
        String name = task.getTaskName().replaceAll("\\W+", "-") + '-' + task.getIndexOfThisSubtask();
        measurement = ProcessMeasurements.open(Path.of(directory), name, "e2e");
    }

    /** A record was processed that was due then, or whose latency is {@link Pace#NOT_MEASURED}. */
    void processed(long dueNs) {
        if (dueNs == Pace.NOT_MEASURED) {
            measurement.received();
        } else {
            measurement.received(SystemClock.INSTANCE.nanoTime() - dueNs);
        }
    }

    void close() {
        if (measurement != null) {
            measurement.close();
        }
    }
}
