/**
 * Compares the outcomes of upstream's own tests on the woven jars with those on upstream's jars, which are recorded.
 *
 * <pre>
 *   upstream's tests ─┬─ upstream's jars ── outcomes-on-upstream.txt ───┬─ Comparison ── surefire-reports/upstream-tests.txt
 *                     └─ woven jars ─────── target/on-woven/TEST-*.xml ─┘      └─ known-failures.txt
 * </pre>
 */
package io.eyewall.integration.upstreamtests;
