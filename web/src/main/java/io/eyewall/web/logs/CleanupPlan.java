package io.eyewall.web.logs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What of the workers' logs is to be removed. Pure. First the directories of workers that have ended and have written nothing for a time;
 * then, of each worker that has more than it may have, and last of all workers together, the oldest files. What a worker that runs is
 * writing stays, and so does what the Supervisor has written about a worker, which says who may read its logs.
 *
 * @param directories to remove whole
 * @param files to remove from directories that stay
 */
record CleanupPlan(List<Path> directories, List<Path> files) {

    private static final String DESCRIPTION = "worker.yaml";
    private static final Pattern BEING_WRITTEN = Pattern.compile(".*\\.(log|log\\.(out|err|metrics)|hlog|current|pid)");

    /**
     * What there may be.
     *
     * @param ageMs how long the logs of a worker that has ended stay after it wrote for the last time
     */
    record Limits(long ageMs, long perWorkerBytes, long allBytes) {
    }

    /**
     * One file.
     *
     * @param modifiedMs when it was written for the last time, in the clock's milliseconds
     */
    record OldFile(Path path, long bytes, long modifiedMs) {
    }

    /**
     * The directory of a worker.
     *
     * @param running whether the worker runs, or may run
     * @param modifiedMs when it or a file in it was written for the last time
     */
    record OldDirectory(Path path, boolean running, long modifiedMs, List<OldFile> files) {

        private long bytes() {
            return files.stream().mapToLong(OldFile::bytes).sum();
        }

        private List<OldFile> removable() {
            return files.stream().filter(file -> !name(file).equals(DESCRIPTION))
                .filter(file -> !(running && BEING_WRITTEN.matcher(name(file)).matches())).toList();
        }

        private static String name(OldFile file) {
            return file.path().getFileName().toString();
        }
    }

    /** Plans for a moment. */
    static CleanupPlan of(List<OldDirectory> all, Limits limits, long nowMs) {
        List<Path> directories = new ArrayList<>();
        List<OldFile> files = new ArrayList<>();
        List<OldFile> rest = new ArrayList<>();
        long restBytes = 0;
        for (OldDirectory directory : all) {
            if (!directory.running() && nowMs - directory.modifiedMs() > limits.ageMs()) {
                directories.add(directory.path());
                continue;
            }
            List<OldFile> oldest = oldest(directory.removable(), directory.bytes() - limits.perWorkerBytes());
            files.addAll(oldest);
            restBytes += directory.bytes() - oldest.stream().mapToLong(OldFile::bytes).sum();
            directory.removable().stream().filter(file -> !oldest.contains(file)).forEach(rest::add);
        }
        files.addAll(oldest(rest, restBytes - limits.allBytes()));
        return new CleanupPlan(directories, files.stream().map(OldFile::path).toList());
    }

    /** The oldest files, as many as have these bytes together. */
    private static List<OldFile> oldest(List<OldFile> files, long bytes) {
        List<OldFile> found = new ArrayList<>();
        long left = bytes;
        for (OldFile file : files.stream().sorted(Comparator.comparingLong(OldFile::modifiedMs)).toList()) {
            if (left <= 0) {
                break;
            }
            found.add(file);
            left -= file.bytes();
        }
        return found;
    }
}
