package io.eyewall.examples.operator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The file with the counts of one task of a sink: {@code <component>-<taskId>-<start>.tsv}, with lines {@code count TAB key} sorted by key.
 * In keys, a backslash, a tab, a line feed and a carriage return are written as {@code \\ \t \n \r}. The start, in milliseconds since 1970,
 * distinguishes a task from the one that replaced it after its worker died. A reader adds the counts of both.
 */
public final class ResultFile {

    private static final String SUFFIX = ".tsv";

    private final Path directory;
    private final String name;

    /**
     * The file of one task.
     *
     * @param directory    is created if it is missing
     * @param startEpochMs when the task started
     */
    ResultFile(Path directory, String component, int taskId, long startEpochMs) {
        this.directory = directory;
        name = component + '-' + taskId + '-' + startEpochMs;
    }

    /**
     * Replaces the file atomically: a reader sees either the old or the new counts.
     */
    void write(Map<String, Long> counts) throws IOException {
        Files.createDirectories(directory);
        List<String> lines = new ArrayList<>(counts.size());
        new TreeMap<>(counts).forEach((key, count) -> lines.add(count + "\t" + escape(key)));
        Path next = directory.resolve(name + ".next");
        Files.write(next, lines, StandardCharsets.UTF_8);
        Files.move(next, directory.resolve(name + SUFFIX), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Reads the counts of one component, added up over its tasks and their restarts. Empty if no task has written.
     */
    public static Map<String, Long> read(Path directory, String component) throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        if (!Files.isDirectory(directory)) {
            return counts;
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> isOf(each, component)).toList()) {
                for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                    int tab = line.indexOf('\t');
                    counts.merge(unescape(line.substring(tab + 1)), Long.valueOf(line.substring(0, tab)), Long::sum);
                }
            }
        }
        return counts;
    }

    private static boolean isOf(Path file, String component) {
        String name = file.getFileName().toString();
        return name.matches("\\Q" + component + "\\E-[0-9]+-[0-9]+\\Q" + SUFFIX + "\\E");
    }

    private static String escape(String key) {
        return key.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String unescape(String key) {
        StringBuilder text = new StringBuilder(key.length());
        for (int index = 0; index < key.length(); index++) {
            char character = key.charAt(index);
            if (character == '\\') {
                index++;
                character = switch (key.charAt(index)) {
                    case 't' -> '\t';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    default -> key.charAt(index);
                };
            }
            text.append(character);
        }
        return text.toString();
    }
}
