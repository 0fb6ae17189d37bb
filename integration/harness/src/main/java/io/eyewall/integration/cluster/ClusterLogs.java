package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the logs of a cluster. Files may grow, appear and disappear meanwhile. Thread safe. */
final class ClusterLogs {

    private static final Pattern PROBLEM = Pattern.compile("\\[(ERROR|FATAL)]|^Caused by:|^Exception in thread|OutOfMemoryError");
    private static final int MAX_PROBLEMS_PER_FILE = 10;
    private static final int LAST_LINES = 30;

    private ClusterLogs() {
    }

    /** The text of a file; empty if there is no such file. */
    static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException notYet) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    /** The last lines of a file, under its name. */
    static String end(Path file) {
        List<String> lines = read(file).lines().toList();
        return "The end of " + file + ":\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** The last lines of each file below the directory that report problems, under the name of the file. */
    static String problems(Path directory) {
        StringBuilder text = new StringBuilder();
        for (Path file : filesBelow(directory)) {
            List<String> problems = problemsIn(file);
            if (!problems.isEmpty()) {
                text.append(file).append(":\n");
                problems.stream().skip(Math.max(0, problems.size() - MAX_PROBLEMS_PER_FILE))
                    .forEach(line -> text.append("  ").append(line).append('\n'));
            }
        }
        return text.toString();
    }

    /** The lines of a file that report problems. */
    static List<String> problemsIn(Path file) {
        return read(file).lines().filter(line -> PROBLEM.matcher(line).find()).toList();
    }

    private static List<Path> filesBelow(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            return new ArrayList<>(all.filter(file -> Files.isRegularFile(file) && file.toString().matches(".*\\.(log|err|out)")).toList());
        } catch (NoSuchFileException notYet) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + directory, e);
        }
    }
}
