package io.eyewall.integration.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Lines of the files that topologies write, perhaps while they are still being written. */
final class Lines {

    private static final String SUFFIX = ".txt";

    private Lines() {
    }

    /** All lines of the directory's files whose names start with {@code prefix}, in the order of the names; none if there are none. */
    static List<String> of(Path directory, String prefix) {
        List<String> lines = new ArrayList<>();
        byFile(directory, prefix).values().forEach(lines::addAll);
        return lines;
    }

    /** The sorted lines of each of the directory's files whose name starts with {@code prefix}, by the name without its suffix. */
    static Map<String, List<String>> sortedByFile(Path directory, String prefix) {
        Map<String, List<String>> files = byFile(directory, prefix);
        files.replaceAll((name, lines) -> lines.stream().sorted().toList());
        return files;
    }

    /** The lines of each of the directory's files whose name starts with {@code prefix}, by the name without its suffix. */
    static Map<String, List<String>> byFile(Path directory, String prefix) {
        Map<String, List<String>> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.toList()) {
                String name = file.getFileName().toString();
                if (name.startsWith(prefix) && name.endsWith(SUFFIX)) {
                    files.put(name.substring(0, name.length() - SUFFIX.length()), Files.readAllLines(file));
                }
            }
        } catch (NoSuchFileException notYet) {
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the files " + prefix + "* in " + directory, e);
        }
        return files;
    }
}
