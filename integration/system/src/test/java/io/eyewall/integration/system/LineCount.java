package io.eyewall.integration.system;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** How many different lines with a start there are in files that grow. Looks at each line once, however often it counts. Thread safe. */
final class LineCount {

    private final String start;
    private final Set<String> found = new HashSet<>();
    private final Map<String, Integer> seen = new HashMap<>();

    LineCount(String start) {
        this.start = start;
    }

    /** Counts in all lines so far of each file, by its name. */
    synchronized long count(Supplier<Map<String, List<String>>> byFile) {
        byFile.get().forEach((file, lines) -> {
            lines.subList(seen.getOrDefault(file, 0), lines.size()).stream().filter(line -> line.startsWith(start)).forEach(found::add);
            seen.put(file, lines.size());
        });
        return found.size();
    }
}
