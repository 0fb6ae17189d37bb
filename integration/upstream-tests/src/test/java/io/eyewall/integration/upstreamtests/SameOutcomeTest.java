package io.eyewall.integration.upstreamtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the reports of upstream's own tests, which ran in an earlier phase, with the recorded outcomes on upstream's jars. */
class SameOutcomeTest {

    /** Some 50 fewer than there are. With a wrong class path or a wrong list of classes, far fewer run. */
    private static final long FEWEST = 700;

    /** The woven jar or its classes, in the module that makes them or in Maven's repository. */
    private static final Pattern WOVEN = Pattern.compile("storm-client/target/|io/eyewall/storm-client/");

    private final Path target = Path.of(System.getProperty("target"));
    private final Path recorded = Path.of(System.getProperty("outcomes"));
    private final String head =
        "# Outcomes of the tests of Apache Storm " + System.getProperty("storm.version") + " on its own jars, as root";

    @Test
    void shouldFindTheWovenJarOnOneClassPathOnlyWhenTestsRan() throws Exception {
        Pattern upstream = Pattern.compile("/jars/storm-client-");
        assertEquals(Set.of(true), onClassPath("on-woven", WOVEN));
        assertEquals(Set.of(false), onClassPath("on-woven", upstream));
        if (records()) {
            assertEquals(Set.of(false), onClassPath("on-upstream", WOVEN));
            assertEquals(Set.of(true), onClassPath("on-upstream", upstream));
        }
    }

    @Test
    void shouldComeToTheSameWhenUpstreamsTestsRunOnWovenJars() throws Exception {
        if (records()) {
            List<String> outcomes = Outcome.record(Outcome.read(target.resolve("on-upstream")));
            Files.write(recorded, Stream.concat(Stream.of(head), outcomes.stream()).toList());
        }
        List<String> lines = Files.readAllLines(recorded);
        assertEquals(head, lines.get(0),
            "Record the outcomes of this version: mvn -pl integration/upstream-tests -am verify -Precord-upstream");
        Comparison comparison = new Comparison(Outcome.parse(lines), Outcome.read(target.resolve("on-woven")),
            KnownFailures.parse(Files.readAllLines(Path.of(System.getProperty("known.failures")))),
            "root".equals(System.getProperty("user.name")));

        // bin/test prints this file.
        Files.write(Files.createDirectories(target.resolve("surefire-reports")).resolve("upstream-tests.txt"), comparison.summary());

        List<String> complaints = comparison.complaints();
        if (!complaints.isEmpty()) {
            fail(complaints.size() + " of upstream's own tests have an unexpected outcome. Their output is in *-output.txt in " + target
                + "/on-woven:\n" + String.join("\n", complaints));
        }
        assertTrue(comparison.passed() >= FEWEST, () -> "Only " + comparison.passed() + " of upstream's own tests passed on both.");
    }

    /** Whether the tests ran on upstream's jars, too. */
    private boolean records() {
        return Files.isDirectory(target.resolve("on-upstream"));
    }

    private Set<Boolean> onClassPath(String reports, Pattern jar) throws Exception {
        Set<Boolean> found = new HashSet<>();
        for (Path report : Outcome.reports(target.resolve(reports))) {
            try (Stream<String> lines = Files.lines(report)) {
                found.add(lines.filter(line -> line.contains("\"java.class.path\"")).anyMatch(line -> jar.matcher(line).find()));
            }
        }
        return found;
    }
}
