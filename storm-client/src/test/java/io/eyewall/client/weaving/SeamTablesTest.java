package io.eyewall.client.weaving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The two tables of seams in {@code ARCHITECTURE.md} list what the weavers weave, and name types and tests that there are. */
class SeamTablesTest {

    private static final Path ROOT = Path.of("..");
    private static final String SEAMS = "### Seams";
    private static final String REPLACEMENTS = "### Replacements";
    private static final Pattern HEADING = Pattern.compile("^#.*", Pattern.MULTILINE);
    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w+)[\\w.]*`");
    private static final Pattern DAEMON_SEAM = Pattern.compile("\\bSeam\\.\\w+\\(\\s*\"([^\"]+)\"");
    private static final int CELLS = 5;
    private static final int CLASSES = 3;
    private static final int TESTS = 4;

    private final List<List<String>> seams = rows(SEAMS);
    private final List<List<String>> replacements = rows(REPLACEMENTS);

    @Test
    void shouldListEachWovenSeamInOneRow() throws IOException {
        List<String> listed = Stream.concat(seams.stream(), replacements.stream()).flatMap(row -> Stream.of(row.get(0).split(", ")))
            .toList();
        List<String> woven = Stream.concat(new SeamWeaver().seamNames().stream(), daemonSeams().stream()).toList();

        Set<String> covering = new TreeSet<>();
        for (String seam : woven) {
            List<String> names = listed.stream().filter(name -> covers(name, seam)).toList();
            assertEquals(1, names.size(), () -> "rows for the seam " + seam + ": " + names);
            covering.add(names.get(0));
        }
        assertEquals(new TreeSet<>(listed), covering, "all that is listed is woven");
    }

    @Test
    void shouldNameInterfacesOfTheSeamPackageAndClassesThatThereAre() throws IOException {
        Set<String> interfaces = types(Path.of("storm-client/src/main/java/io/eyewall/client/seam"), 1);
        Set<String> all = types(Path.of("storm-client/src/main/java"), Integer.MAX_VALUE);
        all.addAll(types(Path.of("storm-core/src/main/java"), Integer.MAX_VALUE));

        assertEquals(Set.of(), missing(seams, CLASSES, interfaces));
        assertEquals(Set.of(), missing(replacements, CLASSES, all));
    }

    @Test
    void shouldNameATestOfEachSeamThatThereIs() throws IOException {
        Set<String> tests = new TreeSet<>();
        for (String module : List.of("storm-client", "storm-core", "schedulers", "integration/system")) {
            tests.addAll(types(Path.of(module, "src/test/java"), Integer.MAX_VALUE));
        }
        tests.removeIf(name -> !name.endsWith("Test"));

        assertEquals(Set.of(), missing(seams, TESTS, tests));
        assertEquals(Set.of(), missing(replacements, TESTS, tests));
    }

    /** Those of the other weaver, which this module does not know, from its source. */
    private static List<String> daemonSeams() throws IOException {
        String source = Files.readString(ROOT.resolve("storm-core/src/main/java/io/eyewall/core/weaving/DaemonWeaver.java"));
        List<String> names = DAEMON_SEAM.matcher(source).results().map(seam -> seam.group(1)).toList();
        assertTrue(names.contains("slot-change"), () -> "seams of the daemons: " + names);
        return names;
    }

    /** A row covers the seam of its name, and the parts of that, which have more in parentheses behind the name. */
    private static boolean covers(String listed, String seam) {
        return seam.equals(listed) || seam.startsWith(listed + " (");
    }

    /** The types in the cells of that column that are not among these. */
    private static Set<String> missing(List<List<String>> rows, int column, Set<String> types) {
        Set<String> missing = new TreeSet<>();
        for (List<String> row : rows) {
            Matcher type = TYPE.matcher(row.get(column));
            assertTrue(type.find(), () -> row.get(0) + " names no type in column " + column);
            do {
                if (!types.contains(type.group(1))) {
                    missing.add(type.group(1));
                }
            } while (type.find());
        }
        return missing;
    }

    private static Set<String> types(Path directory, int depth) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(directory), depth)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".java"))
                .map(name -> name.substring(0, name.indexOf('.'))).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The cells of each row of the table under a heading, without its head. */
    private static List<List<String>> rows(String heading) {
        String section = section(heading);
        List<List<String>> rows = new ArrayList<>();
        for (String line : section.lines().filter(line -> line.startsWith("| ")).skip(1).toList()) {
            List<String> cells = Stream.of(line.substring(2, line.length() - 2).split(" \\| ")).toList();
            assertEquals(CELLS, cells.size(), line);
            rows.add(cells);
        }
        assertTrue(rows.size() > 1, () -> heading + " has no table");
        return rows;
    }

    private static String section(String heading) {
        try {
            String text = Files.readString(ROOT.resolve("ARCHITECTURE.md"));
            int from = text.indexOf(heading);
            assertTrue(from >= 0, () -> "no heading " + heading);
            Matcher next = HEADING.matcher(text);
            return next.find(from + heading.length()) ? text.substring(from, next.start()) : text.substring(from);
        } catch (IOException e) {
            throw new IllegalStateException("ARCHITECTURE.md is not readable from " + Path.of("").toAbsolutePath(), e);
        }
    }
}
