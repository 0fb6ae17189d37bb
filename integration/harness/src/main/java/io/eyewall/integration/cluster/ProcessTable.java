package io.eyewall.integration.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The processes of this machine, as Linux shows them below {@code /proc}. A process that ends while they are read is left out. Thread
 * safe.
 */
final class ProcessTable {

    private static final Path PROC = Path.of("/proc");

    /** Linux shows CPU time in units of 10 ms, on every architecture that Java 17 runs on. */
    private static final double TICKS_PER_SEC = 100;

    private ProcessTable() {
    }

    /** The command lines of all processes, by process id. */
    static Map<Long, List<String>> commandLines() {
        Map<Long, List<String>> all = new LinkedHashMap<>();
        for (long pid : pids()) {
            String words = read(pid, "cmdline");
            if (!words.isEmpty()) {
                all.put(pid, List.of(words.split("\0", 0)));
            }
        }
        return all;
    }

    /** These processes and all their descendants. */
    static Set<Long> withDescendants(Collection<Long> pids) {
        Set<Long> all = new LinkedHashSet<>(pids);
        for (long pid : pids) {
            ProcessHandle.of(pid).ifPresent(process -> process.descendants().forEach(child -> all.add(child.pid())));
        }
        return all;
    }

    static double cpuSeconds(long pid) {
        String stat = read(pid, "stat");
        if (stat.isEmpty()) {
            return 0;
        }
        // The second field, the name in brackets, may hold blanks; user and system time are the 14th and 15th field.
        String[] fromThird = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fromThird[11]) + Long.parseLong(fromThird[12])) / TICKS_PER_SEC;
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    static void stop(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }

    static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> numbers = Files.newDirectoryStream(PROC, "[0-9]*")) {
            numbers.forEach(number -> pids.add(Long.parseLong(number.getFileName().toString())));
        } catch (IOException e) {
            throw new ClusterException("Cannot read " + PROC + ": process clusters need Linux.", e);
        }
        return pids;
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(PROC.resolve(Long.toString(pid)).resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
