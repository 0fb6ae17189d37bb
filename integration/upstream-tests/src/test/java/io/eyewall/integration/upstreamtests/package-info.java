/**
 * Compares the outcomes of upstream's own tests on upstream's jars with those on the woven jars.
 *
 * <pre>
 *   upstream's tests ─┬─ upstream's jars ── target/on-upstream/TEST-*.xml ─┬─ Comparison ── surefire-reports/upstream-tests.txt
 *                     └─ woven jars ─────── target/on-woven/TEST-*.xml ────┘      └─ known-failures.txt
 * </pre>
 */
package io.eyewall.integration.upstreamtests;
