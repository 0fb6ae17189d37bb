package io.eyewall.integration.upstreamtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.integration.upstreamtests.Outcome.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private static final Outcome PASSED = new Outcome(Kind.PASSED, "");
    private static final Outcome FAILED = new Outcome(Kind.FAILED, "expected 1");
    private static final Outcome SKIPPED = new Outcome(Kind.SKIPPED, "no cgroups");
    private static final Outcome AT_LAST = new Outcome(Kind.PASSED_THE_SECOND_TIME, "too late");

    @Test
    void shouldComplainOfNothingWhenBothCameToTheSame() {
        assertEquals(List.of(), complaints(Map.of("A#a", PASSED, "A#b", SKIPPED), Map.of("A#a", PASSED, "A#b", SKIPPED)));
    }

    @Test
    void shouldNameTheTestWhenItFailsOnTheWovenJarsOnly() {
        assertEquals(List.of("A#b: on upstream's jars: passed, on the woven jars: failed (expected 1)"),
            complaints(Map.of("A#a", PASSED, "A#b", PASSED), Map.of("A#a", PASSED, "A#b", FAILED)));
    }

    @Test
    void shouldNameTheTestWhenItFailsOnUpstreamsJarsOnly() {
        assertEquals(List.of("A#a: on upstream's jars: failed (expected 1), on the woven jars: passed"),
            complaints(Map.of("A#a", FAILED), Map.of("A#a", PASSED)));
    }

    @Test
    void shouldNameTheTestWhenOneSideDidNotRunIt() {
        assertEquals(List.of("A#a: on upstream's jars: passed, on the woven jars: did not run",
            "A#b: on upstream's jars: did not run, on the woven jars: skipped (no cgroups)"),
            complaints(Map.of("A#a", PASSED), Map.of("A#b", SKIPPED)));
    }

    @Test
    void shouldNameTheTestWhenItFailsOnBothAndIsNotListed() {
        assertEquals(List.of("A#a: failed on both, and is not a known failure: expected 1"),
            complaints(Map.of("A#a", FAILED), Map.of("A#a", FAILED)));
    }

    @Test
    void shouldLetAListedTestFailWhenItRunsAsRootOnly() {
        List<String> list = List.of("root A#a expects another user");
        Map<String, Outcome> failed = Map.of("A#a", FAILED);
        Map<String, Outcome> passed = Map.of("A#a", PASSED);
        assertEquals(List.of(), complaints(failed, failed, true, list));
        assertEquals(List.of(), complaints(failed, passed, false, list));
        assertEquals(List.of("A#a: expects a user other than root, and there is one; on the woven jars: failed (expected 1)"),
            complaints(failed, failed, false, list));
        assertEquals(List.of("A#a: is a known failure, but passes: take it off the list"), complaints(passed, passed, true, list));
        assertEquals(List.of("A#a: on upstream's jars: failed (expected 1), on the woven jars: passed"),
            complaints(failed, passed, true, list));
    }

    @Test
    void shouldLetATestFailOnBothWhenItIsListedAsWrong() {
        List<String> list = List.of("always A#a is wrong");
        assertEquals(List.of(), complaints(Map.of("A#a", FAILED), Map.of("A#a", FAILED), false, list));
        assertEquals(List.of("A#a: is a known failure, but passes: take it off the list"),
            complaints(Map.of("A#a", PASSED), Map.of("A#a", PASSED), false, list));
    }

    @Test
    void shouldLetATestFailOnTheWovenJarsOnlyWhenTheyAreSafer() {
        List<String> list = List.of("safer A#a expects a key that anybody predicts");
        assertEquals(List.of(), complaints(Map.of("A#a", PASSED), Map.of("A#a", FAILED), false, list));
        assertEquals(List.of("A#a: is a known failure, but passes: take it off the list"),
            complaints(Map.of("A#a", PASSED), Map.of("A#a", PASSED), false, list));
        assertEquals(List.of("A#a: on upstream's jars: failed (expected 1), on the woven jars: failed (expected 1)"),
            complaints(Map.of("A#a", FAILED), Map.of("A#a", FAILED), false, list));
    }

    @Test
    void shouldLetATestFailOnEitherWhenItIsListedAsFlaky() {
        List<String> list = List.of("flaky A#a waits a second");
        assertEquals(List.of(), complaints(Map.of("A#a(int)[1]", PASSED, "A#a(int)[2]", FAILED),
            Map.of("A#a(int)[1]", FAILED, "A#a(int)[2]", PASSED), true, list));
        assertEquals(List.of("A#a: on upstream's jars: passed, on the woven jars: did not run"),
            complaints(Map.of("A#a", PASSED), Map.of(), true, list));
    }

    @Test
    void shouldNameWhatIsListedWhenThereIsNoSuchTest() {
        assertEquals(List.of("A#gone: is a known failure, but there is no such test"),
            complaints(Map.of("A#a", PASSED), Map.of("A#a", PASSED), true, List.of("flaky A#gone waits a second")));
    }

    @Test
    void shouldCountBothSidesAndNameWhatIsNotableWhenSummedUp() {
        Comparison comparison = new Comparison(Map.of("A#a", PASSED, "A#b", AT_LAST, "A#c", SKIPPED, "A#d", FAILED, "A#e", FAILED),
            Map.of("A#a", PASSED, "A#b", PASSED, "A#c", SKIPPED, "A#d", PASSED, "A#e", FAILED), KnownFailures.parse(List.of()), false);
        assertEquals(2, comparison.passed());
        assertEquals(List.of(
            "Upstream's own tests, on upstream's jars and on the woven jars: passed on both: 2, skipped on both: 1, failed on both: 1, "
                + "passed on one only: 1",
            "  A#b: on upstream's jars: passed the second time (too late), on the woven jars: passed",
            "  A#d: on upstream's jars: failed (expected 1), on the woven jars: passed",
            "  A#e: on upstream's jars: failed (expected 1), on the woven jars: failed (expected 1)"), comparison.summary());
    }

    private static List<String> complaints(Map<String, Outcome> upstream, Map<String, Outcome> woven) {
        return complaints(upstream, woven, false, List.of());
    }

    private static List<String> complaints(Map<String, Outcome> upstream, Map<String, Outcome> woven, boolean isRoot, List<String> list) {
        return new Comparison(upstream, woven, KnownFailures.parse(list), isRoot).complaints();
    }
}
