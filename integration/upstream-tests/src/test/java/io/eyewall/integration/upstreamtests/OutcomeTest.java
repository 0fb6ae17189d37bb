package io.eyewall.integration.upstreamtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.upstreamtests.Outcome.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeTest {

    @TempDir
    private Path reports;

    @Test
    void shouldReadEveryOutcomeWhenReportsAreThere() throws Exception {
        Files.writeString(reports.resolve("TEST-A.xml"), """
            <testsuite>
              <testcase classname="A" name="passes"/>
              <testcase classname="A" name="fails"><failure message="expected 1&#10;but was 2" type="X">at A</failure>
                <rerunFailure message="again"/></testcase>
              <testcase classname="A" name="ends"><error type="java.io.IOException">at A</error></testcase>
              <testcase classname="A" name="tellsMuch"><error message="%s"/></testcase>
            </testsuite>""".formatted("x".repeat(121)));
        Files.writeString(reports.resolve("TEST-B.xml"), """
            <testsuite>
              <testcase classname="B" name="waits(int)[1]"><skipped message="no cgroups"/></testcase>
              <testcase classname="B" name="passesAtLast"><flakyFailure message="too late" type="X"/></testcase>
            </testsuite>""");
        Files.writeString(reports.resolve("B-output.txt"), "not a report");

        assertEquals(Map.of(
            "A#passes", new Outcome(Kind.PASSED, ""),
            "A#fails", new Outcome(Kind.FAILED, "expected 1"),
            "A#ends", new Outcome(Kind.FAILED, "java.io.IOException"),
            "A#tellsMuch", new Outcome(Kind.FAILED, "x".repeat(120) + "..."),
            "B#waits(int)[1]", new Outcome(Kind.SKIPPED, "no cgroups"),
            "B#passesAtLast", new Outcome(Kind.PASSED_THE_SECOND_TIME, "too late")), Outcome.read(reports));
    }

    @Test
    void shouldTakeTheWorstWhenATestIsThereTwice() throws Exception {
        Files.writeString(reports.resolve("TEST-A.xml"), """
            <testsuite>
              <testcase classname="A" name="a"><failure message="expected 1"/></testcase>
              <testcase classname="A" name="a"/>
            </testsuite>""");

        assertEquals(Map.of("A#a", new Outcome(Kind.FAILED, "expected 1")), Outcome.read(reports));
    }

    @Test
    void shouldSayWhereWhenAReportIsCutOff() throws Exception {
        Files.writeString(reports.resolve("TEST-A.xml"), "<testsuite><testcase");

        IOException e = assertThrows(IOException.class, () -> Outcome.read(reports));

        assertTrue(e.getMessage().contains(reports.toString()), e.getMessage());
    }

    @Test
    void shouldReadWhatWasRecorded() {
        Map<String, Outcome> outcomes = Map.of("A#a", new Outcome(Kind.PASSED_THE_SECOND_TIME, "too late"), "A#b(int)[1 2]",
            new Outcome(Kind.SKIPPED, "no cgroups"), "A#c", new Outcome(Kind.FAILED, "expected 1"));

        List<String> lines = new ArrayList<>(Outcome.record(new TreeMap<>(outcomes)));
        assertEquals(List.of("passed A#a", "skipped A#b(int)[1 2]", "failed A#c"), lines);
        lines.add(0, "# head");

        assertEquals(Map.of("A#a", new Outcome(Kind.PASSED, ""), "A#b(int)[1 2]", new Outcome(Kind.SKIPPED, ""), "A#c",
            new Outcome(Kind.FAILED, "")), Outcome.parse(lines));
    }

    @Test
    void shouldNameTheLineWhenARecordIsNotReadable() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Outcome.parse(List.of("passed A#a", "ran A#b")));

        assertTrue(e.getMessage().contains("'ran A#b'"), e.getMessage());
    }
}
