package io.eyewall.integration.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All complete lines of the files to which a topology appends. Each is read only once, however often they are asked for. Thread safe. */
final class GrowingLines {

    private final NewLines newLines;
    private final Map<String, List<String>> byFile = new TreeMap<>();

    /** Of the files of a directory, which need not exist yet. */
    GrowingLines(Path directory) {
        newLines = new NewLines(directory);
    }

    /** The lines so far of each file whose name starts with {@code prefix}, by the name without its suffix. */
    synchronized Map<String, List<String>> byFile(String prefix) {
        newLines.forEach((file, line) -> byFile.computeIfAbsent(file, added -> new ArrayList<>()).add(line));
        Map<String, List<String>> found = new TreeMap<>();
        newLines.files().stream().filter(file -> file.startsWith(prefix))
            .forEach(file -> found.put(file, List.copyOf(byFile.getOrDefault(file, List.of()))));
        return found;
    }
}
