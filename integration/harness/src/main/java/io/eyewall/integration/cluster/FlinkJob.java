package io.eyewall.integration.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * A job of the benchmark and what it runs on.
 *
 * @param workload {@code const-null}, {@code word-count} or {@code chain}
 * @param taskManagers TaskManagers, each a JVM of its own
 * @param ratePerSec records per second that are due; 0 for full speed
 * @param measuredEvery how many records share one measured latency
 * @param measureDirectory where its sinks write counts and latencies
 * @param input the text of {@code word-count}
 */
public record FlinkJob(String workload, int taskManagers, long ratePerSec, int measuredEvery, Path measureDirectory, Path input) {

    static final String MAIN_CLASS = "io.eyewall.integration.peers.PeerJob";

    /** The slots of all TaskManagers that the job needs; each of them gets the same part, so that all of them take part. */
    int slots() {
        return workload.equals("word-count") ? 4 : 2;
    }

    List<String> arguments() {
        return List.of(workload, Long.toString(ratePerSec), Integer.toString(measuredEvery), measureDirectory.toString(), input.toString());
    }
}
