package io.eyewall.integration.upstreamtests;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The list of upstream's tests that may fail or must fail. Immutable.
 *
 * @param causes causes by test; a test is {@code class#method}
 */
record KnownFailures(Map<String, Cause> causes) {

    private static final Map<String, Cause> CAUSES = Map.of("always", Cause.ALWAYS, "root", Cause.ROOT, "flaky", Cause.FLAKY,
        "safer", Cause.SAFER);

    /** Why a test fails. */
    enum Cause {
        /** The test is wrong, and fails on both. */
        ALWAYS,
        /** The test expects a user other than root, and fails on both as root. */
        ROOT,
        /** The test fails now and then, on either. */
        FLAKY,
        /** The test expects what Eyewall refuses since it is not safe, and fails on the woven jars. */
        SAFER
    }

    /**
     * Parses the list. A line has a cause, a test and the reason, separated by blanks. Empty lines and lines that begin with {@code #} are
     * skipped.
     *
     * @throws IllegalArgumentException if a line has no known cause, no test or no reason, or a test is listed twice
     */
    static KnownFailures parse(List<String> lines) {
        Map<String, Cause> causes = new TreeMap<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.strip().split("\\s+", 3);
            if (parts.length < 3 || !parts[1].contains("#") || !CAUSES.containsKey(parts[0])) {
                throw new IllegalArgumentException("In the list of known failures: '" + line
                    + "': expected 'always', 'root', 'flaky' or 'safer', a test as class#method, and the reason.");
            }
            if (causes.put(parts[1], CAUSES.get(parts[0])) != null) {
                throw new IllegalArgumentException("In the list of known failures: " + parts[1] + " is there twice.");
            }
        }
        return new KnownFailures(causes);
    }

    /** Why an invocation of a test may fail, or null if it must not fail. */
    Cause cause(String test) {
        return causes.get(method(test));
    }

    /** The test without the parameters that Surefire adds to an invocation: {@code C#m} for {@code C#m(int)[2]}. */
    static String method(String test) {
        return test.replaceFirst("[({\\[].*", "");
    }
}
