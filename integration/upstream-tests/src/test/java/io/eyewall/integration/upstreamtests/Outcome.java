package io.eyewall.integration.upstreamtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The outcome of one test. Immutable.
 *
 * @param message the first line of the message of the failure, also of one before the test passed; empty if there is none
 */
record Outcome(Kind kind, String message) {

    private static final int LONGEST = 120;

    private static final Map<String, Kind> RECORDED = Map.of("passed", Kind.PASSED, "failed", Kind.FAILED, "skipped", Kind.SKIPPED);

    /** The outcome of a test that has a report on the other class path only. */
    static final Outcome ABSENT = new Outcome(Kind.ABSENT, "");

    /** From the best to the worst. */
    enum Kind {
        PASSED, PASSED_THE_SECOND_TIME, SKIPPED, FAILED, ABSENT;

        @Override
        public String toString() {
            return this == ABSENT ? "did not run" : name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Whether the test passed, if only the second time. */
    boolean passed() {
        return kind == Kind.PASSED || kind == Kind.PASSED_THE_SECOND_TIME;
    }

    /** Whether the test failed both times. */
    boolean failed() {
        return kind == Kind.FAILED;
    }

    /** Whether the summary names the test. */
    boolean isNotable() {
        return kind != Kind.PASSED && kind != Kind.SKIPPED;
    }

    @Override
    public String toString() {
        return message.isEmpty() ? kind.toString() : kind + " (" + message + ")";
    }

    /**
     * Reads Surefire's reports.
     *
     * @return outcomes by {@code class#method}, to which Surefire adds the parameters of an invocation; of several outcomes of a test, the
     *     worst
     * @throws IOException if a report cannot be read
     */
    static Map<String, Outcome> read(Path reports) throws IOException {
        Map<String, Outcome> outcomes = new TreeMap<>();
        try {
            DocumentBuilder reader = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            reader.setErrorHandler(null); // The default handler prints each error that is thrown.
            for (Path report : reports(reports)) {
                NodeList cases = reader.parse(report.toFile()).getElementsByTagName("testcase");
                for (int i = 0; i < cases.getLength(); i++) {
                    Element test = (Element) cases.item(i);
                    outcomes.merge(test.getAttribute("classname") + "#" + test.getAttribute("name"), of(test),
                        (one, other) -> one.kind.compareTo(other.kind) >= 0 ? one : other);
                }
            }
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("A report in " + reports + " is not XML: " + e.getMessage(), e);
        }
        return outcomes;
    }

    /**
     * Parses recorded outcomes. A line has "passed", "failed" or "skipped" and a test. Lines that begin with {@code #} are skipped.
     *
     * @throws IllegalArgumentException if a line has another form
     */
    static Map<String, Outcome> parse(List<String> lines) {
        Map<String, Outcome> outcomes = new TreeMap<>();
        for (String line : lines) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(" ", 2);
            Kind kind = RECORDED.get(parts[0]);
            if (kind == null || parts.length < 2 || !parts[1].contains("#")) {
                throw new IllegalArgumentException("In the recorded outcomes: '" + line
                    + "': expected 'passed', 'failed' or 'skipped', and a test as class#method.");
            }
            outcomes.put(parts[1], new Outcome(kind, ""));
        }
        return outcomes;
    }

    /** The lines that {@link #parse} reads. */
    static List<String> record(Map<String, Outcome> outcomes) {
        return outcomes.entrySet().stream()
            .map(entry -> (entry.getValue().passed() ? Kind.PASSED : entry.getValue().kind) + " " + entry.getKey()).toList();
    }

    /** Surefire's reports in a directory, one for each test class. */
    static List<Path> reports(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(path -> path.getFileName().toString().matches("TEST-.*\\.xml")).toList();
        }
    }

    private static Outcome of(Element test) {
        for (String tag : List.of("failure", "error", "skipped", "flakyFailure", "flakyError")) {
            if (test.getElementsByTagName(tag).item(0) instanceof Element element) {
                String message = element.getAttribute("message").isBlank() ? element.getAttribute("type") : element.getAttribute("message");
                return new Outcome(kind(tag), shortened(message.strip().lines().findFirst().orElse("")));
            }
        }
        return new Outcome(Kind.PASSED, "");
    }

    private static String shortened(String line) {
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }

    private static Kind kind(String tag) {
        return switch (tag) {
            case "failure", "error" -> Kind.FAILED;
            case "skipped" -> Kind.SKIPPED;
            default -> Kind.PASSED_THE_SECOND_TIME;
        };
    }
}
