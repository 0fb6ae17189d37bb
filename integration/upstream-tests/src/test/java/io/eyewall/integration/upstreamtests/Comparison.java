package io.eyewall.integration.upstreamtests;

import io.eyewall.integration.upstreamtests.KnownFailures.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Compares the outcomes of upstream's tests on both class paths. Pure.
 *
 * @param upstream outcomes on upstream's jars
 * @param woven outcomes on the woven jars
 * @param known the tests that may fail
 * @param isRoot whether the tests ran as root on the woven jars; on upstream's they did
 */
record Comparison(Map<String, Outcome> upstream, Map<String, Outcome> woven, KnownFailures known, boolean isRoot) {

    /** A line for each test with an outcome that is not expected. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        for (String test : tests()) {
            String complaint = complaint(test);
            if (!complaint.isEmpty()) {
                complaints.add(test + ": " + complaint);
            }
        }
        Set<String> methods = tests().stream().map(KnownFailures::method).collect(Collectors.toSet());
        known.causes().keySet().stream().filter(test -> !methods.contains(test))
            .forEach(test -> complaints.add(test + ": is a known failure, but there is no such test"));
        return complaints;
    }

    /** The number of tests that passed on both. */
    long passed() {
        return tests().stream().filter(test -> onUpstream(test).passed() && onWoven(test).passed()).count();
    }

    /** The counts, and a line for each test that failed on either, or passed there only the second time. */
    List<String> summary() {
        List<String> lines = new ArrayList<>();
        lines.add("Upstream's own tests, on upstream's jars and on the woven jars: passed on both: " + passed()
            + ", skipped on both: " + both(outcome -> outcome.kind() == Outcome.Kind.SKIPPED)
            + ", failed on both: " + both(Outcome::failed)
            + ", passed on one only: " + tests().stream().filter(test -> onUpstream(test).passed() != onWoven(test).passed()).count());
        for (String test : tests()) {
            if (onUpstream(test).isNotable() || onWoven(test).isNotable()) {
                lines.add("  " + test + ": on upstream's jars: " + onUpstream(test) + ", on the woven jars: " + onWoven(test));
            }
        }
        return lines;
    }

    private String complaint(String test) {
        Outcome there = onUpstream(test);
        Outcome here = onWoven(test);
        Cause cause = known.cause(test);
        if (cause == Cause.ROOT && !isRoot) {
            return here.passed() ? "" : "expects a user other than root, and there is one; on the woven jars: " + here;
        }
        if (isExpected(there, here, cause)) {
            return "";
        }
        if (there.passed() && here.passed()) {
            return "is a known failure, but passes: take it off the list";
        }
        return there.failed() && here.failed() && cause == null ? "failed on both, and is not a known failure: " + here.message()
            : "on upstream's jars: " + there + ", on the woven jars: " + here;
    }

    private static boolean isExpected(Outcome there, Outcome here, Cause cause) {
        if (cause == null) {
            return (there.passed() && here.passed()) || (there.kind() == Outcome.Kind.SKIPPED && here.kind() == Outcome.Kind.SKIPPED);
        }
        return switch (cause) {
            case ALWAYS, ROOT -> there.failed() && here.failed();
            case SAFER -> there.passed() && here.failed();
            case FLAKY -> (there.passed() || there.failed()) && (here.passed() || here.failed());
        };
    }

    private long both(Predicate<Outcome> is) {
        return tests().stream().filter(test -> is.test(onUpstream(test)) && is.test(onWoven(test))).count();
    }

    private Outcome onUpstream(String test) {
        return upstream.getOrDefault(test, Outcome.ABSENT);
    }

    private Outcome onWoven(String test) {
        return woven.getOrDefault(test, Outcome.ABSENT);
    }

    private Set<String> tests() {
        Set<String> tests = new TreeSet<>(upstream.keySet());
        tests.addAll(woven.keySet());
        return tests;
    }
}
