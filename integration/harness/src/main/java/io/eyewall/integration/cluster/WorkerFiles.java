package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a cluster's workers write below the directory of its logs. Files may grow and appear meanwhile. */
public final class WorkerFiles {

    /** The name of a worker's log. */
    public static final String LOG = "worker.log";

    private WorkerFiles() {
    }

    /**
     * The files of a topology's workers that have a name.
     *
     * @param topology the topology's name or id, or the beginning of it; empty for all topologies
     */
    public static List<Path> named(String name, Path logs, String topology) {
        try (Stream<Path> all = Files.walk(logs)) {
            return all.filter(file -> file.endsWith(name) && file.toString().contains("/workers-artifacts/" + topology)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list the files in " + logs, e);
        }
    }

    /** The texts of the logs of a topology's workers, or of all. */
    public static List<String> logs(Path logs, String topology) {
        return texts(LOG, logs, topology);
    }

    /** The texts of the {@linkplain #named files} of a topology's workers that have a name. */
    public static List<String> texts(String name, Path logs, String topology) {
        return named(name, logs, topology).stream().map(ClusterLogs::read).toList();
    }

    /** Whether a file contains a text. */
    public static boolean contains(Path file, String text) {
        return ClusterLogs.read(file).contains(text);
    }
}
