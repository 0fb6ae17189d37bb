package io.eyewall.integration.bench;

import java.util.List;

/**
 * The runs of all sides under one scenario; the n-th run of each side was measured in the n-th round.
 *
 * @param runs for each side, A first, its runs in the order of the rounds
 */
record Comparison(Scenario scenario, List<List<RunResult>> runs) {
}
